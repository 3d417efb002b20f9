import ArgumentParser
import ExportFormats
import Testing

@testable import facefetch

@Suite("A program's arguments")
struct ProgramTemplateTests {
    private static func job() throws -> ExportedJob {
        var job = ExportedJob(id: 7)
        job.name = "{path};rm -rf $HOME `x` \"'.jpg"
        job.path = "/d/a b"
        job.meta = #"{"album":"{url}","n":[1,2],"t":true,"z":null,"a\u0062":"x"}"#
        return job
    }

    @Test("A place is a whole argument; what is put there is not looked at again")
    func fills() throws {
        let template = try ProgramTemplate([
            "run", "{name}", "{path}", "{faces}", "{meta.album}", "{meta.n}", "{meta.t}", "{meta.z}",
            "{meta.none}",
            "{meta.ab}", "{job}",
        ])
        let job = try Self.job()
        #expect(
            template.filled(for: job) == [
                "run", job.name, "/d/a b", "", "{url}", "[1,2]", "true", "", "", "x", "7",
            ]
        )
    }

    @Test(
        "Other braces are text",
        arguments: ["{}", "{ print $1 }", "${HOME}", "{a,b}", "{\"a\":1}", "{1}", "{", "}{"]
    )
    func text(argument: String) throws {
        #expect(try ProgramTemplate(["awk", argument]).filled(for: Self.job()) == ["awk", argument])
    }

    @Test(
        "An unknown place is refused, or one that is a part of an argument",
        arguments: ["{paths}", "x{path}", "{path}{name}", "{meta.}", "--a={meta.b}"]
    )
    func refuses(argument: String) {
        #expect(throws: ValidationError.self) { try ProgramTemplate(["run", argument]) }
    }

    @Test("A document is no program")
    func program() {
        #expect(throws: ValidationError.self) { try ProgramTemplate(["{path}"]) }
        #expect(throws: ValidationError.self) { try ProgramTemplate([]) }
    }
}
