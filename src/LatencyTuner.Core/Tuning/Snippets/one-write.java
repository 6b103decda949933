// One BufferedOutputStream per connection, one flush per message.
static void send(java.io.BufferedOutputStream out, byte[] head,
        byte[] body) throws java.io.IOException {
    out.write(head);
    out.write(body);
    out.flush();
}

static void send(java.nio.channels.SocketChannel channel,
        java.nio.ByteBuffer head, java.nio.ByteBuffer body)
        throws java.io.IOException {
    java.nio.ByteBuffer[] parts = { head, body };
    while (head.hasRemaining() || body.hasRemaining()) {
        channel.write(parts);
    }
}
