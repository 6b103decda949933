/* Best: set neither. Windows tunes both; a fixed SO_RCVBUF stops that.
   If one must be fixed: before connect(), at a server before listen(). */
int set_buffers(SOCKET s, int bytes)
{
    if (setsockopt(s, SOL_SOCKET, SO_RCVBUF,
                   (const char *)&bytes, sizeof bytes) != 0)
        return SOCKET_ERROR;
    return setsockopt(s, SOL_SOCKET, SO_SNDBUF,
                      (const char *)&bytes, sizeof bytes);
}
