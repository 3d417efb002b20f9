// SystemdSupport
