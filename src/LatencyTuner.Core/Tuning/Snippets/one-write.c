/* Header and body leave in one call, without being copied together. */
int send_message(SOCKET s, char *head, ULONG head_len,
                 char *body, ULONG body_len)
{
    WSABUF parts[2] = { { head_len, head }, { body_len, body } };
    DWORD sent = 0;
    return WSASend(s, parts, 2, &sent, 0, NULL, NULL);
}
