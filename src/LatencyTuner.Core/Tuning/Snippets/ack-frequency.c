/* At the end that receives the pieces. mstcpip.h has the code;
   no reference page describes it. */
int acknowledge_every_segment(SOCKET s)
{
    ULONG frequency = 1;
    DWORD returned = 0;
    return WSAIoctl(s, SIO_TCP_SET_ACK_FREQUENCY, &frequency,
                    sizeof frequency, NULL, 0, &returned, NULL, NULL);
}
