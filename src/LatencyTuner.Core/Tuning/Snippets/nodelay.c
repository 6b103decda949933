/* On each socket after socket() or accept(), before the first send. */
int set_no_delay(SOCKET s)
{
    BOOL on = TRUE;
    return setsockopt(s, IPPROTO_TCP, TCP_NODELAY, (char *)&on, sizeof on);
}
