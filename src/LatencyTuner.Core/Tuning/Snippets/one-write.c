/* Both parts leave in one call, without being copied together. */
int send_message(SOCKET s, WSABUF head, WSABUF body)
{
    WSABUF parts[2] = { head, body };
    DWORD sent = 0;
    return WSASend(s, parts, 2, &sent, 0, NULL, NULL);
}
