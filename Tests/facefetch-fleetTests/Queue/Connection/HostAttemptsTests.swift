import Testing

@testable import facefetch_fleet

@Suite("The servers that a connection string names")
struct HostAttemptsTests {
    @Test("One server is left to libpq, also where it has several addresses by name")
    func single() {
        #expect(HostAttempts.of(["host": "a", "port": "1", "dbname": "d"]).isEmpty)
        #expect(HostAttempts.of(["dbname": "d"]).isEmpty)
    }

    @Test("Of several, each is tried with its own port, and has to take what is written")
    func several() {
        let attempts = HostAttempts.of(["host": "a,b,", "port": "1,2,3", "dbname": "d", "service": "s"])
        #expect(attempts.map { $0["host"] } == ["a", "b", nil])
        #expect(attempts.map { $0["port"] } == ["1", "2", "3"])
        #expect(attempts.allSatisfy { $0["target_session_attrs"] == "read-write" && $0["dbname"] == "d" })
        #expect(attempts.allSatisfy { $0["service"] == nil })
        let addresses = HostAttempts.of([
            "hostaddr": "::1,::2", "port": "7", "target_session_attrs": "standby",
        ])
        #expect(
            addresses.map { $0["hostaddr"] } == ["::1", "::2"] && addresses.map { $0["port"] } == ["7", "7"]
        )
        #expect(addresses.allSatisfy { $0["target_session_attrs"] == "standby" })
    }

    @Test("A standby that is only preferred is looked for at all servers first")
    func preferred() {
        let attempts = HostAttempts.of(["host": "a,b", "target_session_attrs": "prefer-standby"])
        #expect(attempts.map { $0["target_session_attrs"] } == ["standby", "standby", "any", "any"])
        #expect(attempts.map { $0["host"] } == ["a", "b", "a", "b"])
    }
}
