// At the end that receives the pieces; in a file for Windows only.
func acknowledgeEverySegment(conn *net.TCPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	const setAckFrequency = 0x98000017 // SIO_TCP_SET_ACK_FREQUENCY
	var failed error
	err = raw.Control(func(fd uintptr) {
		frequency, returned := uint32(1), uint32(0)
		failed = syscall.WSAIoctl(syscall.Handle(fd), setAckFrequency,
			(*byte)(unsafe.Pointer(&frequency)), 4,
			nil, 0, &returned, nil, 0)
	})
	if err != nil {
		return err
	}
	return failed
}
