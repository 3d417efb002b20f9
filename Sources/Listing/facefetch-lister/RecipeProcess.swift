import Confinement
import Glibc
import SourceCore
import SourceReading

/// The work of a process that reads one recipe.
enum RecipeProcess {
    /// Reads the request from `input`, answers to `output`, and returns the exit status.
    static let body: ForkServer.Body = {
        _,
        input,
        output,
        order in
        if order == PageProcess.greeting {
            guard let frame = try? ListerFrame(.greeting, ListerGreeting()) else { return 1 }
            return Streams.write(frame.bytes, to: output) ? 0 : 1
        }
        PageReader.endWithoutMemory()
        guard let frame = Streams.frame(input), frame.kind == .recipe,
            let request = try? frame.decode(RecipeRequest.self),
            let answer = try? ListerFrame(.values, id: request.id, RecipeAnswer(to: request)),
            answer.body.count + ListerFrame.headerLength <= ListerFrame.Kind.values.maximumLength
        else { return 1 }
        return Streams.write(answer.bytes, to: output) ? 0 : 1
    }
}
