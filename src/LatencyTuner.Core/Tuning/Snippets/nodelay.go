// Go sets TCP_NODELAY on every connection by itself. Look for a
// SetNoDelay(false) in the code, and take it out.
func setNoDelay(conn *net.TCPConn) error {
	return conn.SetNoDelay(true)
}
