// Best: set neither. Windows tunes both; a fixed receive buffer stops
// that.
func setBuffers(conn *net.TCPConn, bytes int) error {
	if err := conn.SetReadBuffer(bytes); err != nil {
		return err
	}
	return conn.SetWriteBuffer(bytes)
}
