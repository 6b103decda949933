func send(conn *net.TCPConn, head, body []byte) error {
	parts := net.Buffers{head, body}
	_, err := parts.WriteTo(conn)
	return err
}

// With a bufio.Writer per connection: flush once per message.
func sendBuffered(out *bufio.Writer, head, body []byte) error {
	if _, err := out.Write(head); err != nil {
		return err
	}
	if _, err := out.Write(body); err != nil {
		return err
	}
	return out.Flush()
}
