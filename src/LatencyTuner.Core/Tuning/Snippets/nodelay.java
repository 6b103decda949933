static void setNoDelay(java.net.Socket socket)
        throws java.io.IOException {
    socket.setTcpNoDelay(true); // on each accepted socket too
}
