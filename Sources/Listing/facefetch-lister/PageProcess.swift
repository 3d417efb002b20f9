import Confinement
import Glibc
import SourceCore
import SourceReading

/// The work of a process that reads one page, or reports errors in the program.
enum PageProcess {
    /// The order for a greeting instead of a page.
    static let greeting: UInt32 = 1

    /// A program compiled in the fork server, so that its children needn't compile it again.
    final class Compiled {
        let program: Result<PageProgram, UnusableProgram>

        init(_ program: ListerProgram) {
            do throws(UnusableProgram) {
                self.program = .success(try PageProgram(program))
            } catch {
                self.program = .failure(error)
            }
        }
    }

    /// Returns what precedes a page on its way to the process: whether it is compressed, and the
    /// request.
    static func prefix(_ request: ListerRequest, isCompressed: Bool) throws -> [UInt8] {
        [isCompressed ? 1 : 0] + (try ListerFrame(.request, id: request.id, request)).bytes
    }

    /// Reads the request and the page from `input`, answers to `output`, and returns the exit status.
    static let body: ForkServer.Body = {
        context,
        input,
        output,
        order in
        guard let context else { return 1 }
        let compiled = Unmanaged<Compiled>.fromOpaque(context).takeUnretainedValue()
        guard order != greeting else {
            var problems: [ListerGreeting.Problem] = []
            if case .failure(let failure) = compiled.program { problems = failure.problems }
            guard let frame = try? ListerFrame(.greeting, ListerGreeting(problems: problems)) else {
                return 1
            }
            return Streams.write(frame.bytes, to: output) ? 0 : 1
        }
        guard case .success(let program) = compiled.program, let start = Streams.read(1, from: input),
            let frame = Streams.frame(input), let request = try? frame.decode(ListerRequest.self)
        else { return 1 }
        PageReader.endWithoutMemory()
        PageReader(program: program, request: request) { kind, body in
            if !Streams.write(ListerFrame(kind, id: request.id, body: body).bytes, to: output) { _exit(1) }
        }.run(
            PageInput(descriptor: input, isCompressed: start[0] == 1, from: request.rows.usablePlace)
        )
        return 0
    }
}
