The driver writes each request itself. Send one batch instead of many
small statements; table-valued parameters or bulk copy for rows.
