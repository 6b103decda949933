No documented switch of SQL Server or SqlClient for it is known. For
slow queries look at the TCP template, RSC and the power plan first.
