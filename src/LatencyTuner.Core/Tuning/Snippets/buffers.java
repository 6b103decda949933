// Best: set neither. Windows tunes both; a fixed receive buffer stops
// that. If one must be fixed: before connect, at a server on the
// ServerSocket before bind.
static void setBuffers(java.net.Socket unconnected, int bytes)
        throws java.io.IOException {
    unconnected.setReceiveBufferSize(bytes);
    unconnected.setSendBufferSize(bytes);
}
