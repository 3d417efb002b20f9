// SystemdSupportTests
