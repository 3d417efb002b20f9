import Testing

@testable import facefetch_fleet

@Suite("The command line of a fleet")
struct CommandTests {
    @Test("Nobody becomes an agent by the name alone: a command is needed, or settings")
    func verb() throws {
        var bare = try FacefetchFleet.parseAsRoot([])
        #expect { try bare.run() } throws: { error in
            FacefetchFleet.exitCode(for: error) != .success && !(error is FleetFailure)
                && FacefetchFleet.message(for: error).contains("run is the agent of this node")
        }
        #expect(try FacefetchFleet.parseAsRoot(["run", "--config", "/none"]) is Run)
        for arguments in [["status", "--config", "/none"], ["--config", "/none", "status"]] {
            #expect((try FacefetchFleet.parseAsRoot(arguments) as? Status)?.config.path == "/none")
        }
        for arguments in [["--config", "/none"], ["run", "--config", "/none"]] {
            var agent = try FacefetchFleet.parseAsRoot(arguments)
            #expect { try agent.run() } throws: { ($0 as? FleetFailure)?.status == .badSettings }
        }
    }
}
