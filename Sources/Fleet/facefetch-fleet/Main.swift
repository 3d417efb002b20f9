import ArgumentParser
import Glibc

/// The main program, which runs the command line and exits with an ``ExitStatus``.
@main
enum Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        do {
            var command = try FacefetchFleet.parseAsRoot(arguments)
            try command.run()
            return .done
        } catch let error as FleetFailure {
            Output.note(error.message)
            return error.status
        } catch {
            if FacefetchFleet.exitCode(for: error) == .success {
                print(FacefetchFleet.fullMessage(for: error))
                return .done
            }
            Output.note(FacefetchFleet.fullMessage(for: error))
            return .usage
        }
    }
}
