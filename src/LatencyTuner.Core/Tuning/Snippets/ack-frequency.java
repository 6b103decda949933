// The JDK has no call for it on Windows: TCP_QUICKACK of
// jdk.net.ExtendedSocketOptions is for Linux. Cure the sender, or use
// the TCP template of the receiving host.
