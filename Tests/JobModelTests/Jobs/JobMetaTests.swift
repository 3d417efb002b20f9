import JobModel
import Testing

struct JobMetaTests {
    private func text(_ json: String) throws -> String { try JobMeta(json: json.utf8).text }

    @Test(
        "An object has one spelling, and nothing of what it says is changed",
        arguments: [
            (" {\n} ", "{}"),
            (#"{"b" : 1 , "a":[ true,false , null ]}"#, #"{"a":[true,false,null],"b":1}"#),
            (
                #"{"n":12345678901234567890123, "x":-0.10E+05}"#,
                #"{"n":12345678901234567890123,"x":-0.10E+05}"#
            ),
            (#"{"\u0061":"\u00e9\/\ud83d\ude00\u0000\b\u001f\"\\"}"#, #"{"a":"é/😀\u0000\b\u001f\"\\"}"#),
            (#"{"é":1,"z":2,"":3}"#, #"{"":3,"z":2,"é":1}"#),
        ]
    )
    func spelling(json: String, expected: String) throws {
        #expect(try text(json) == expected)
        #expect(try text(expected) == expected)
        #expect(JobMeta(stored: expected)?.text == expected)
    }

    @Test(
        "What is no JSON object, or too much of one, is refused with a reason",
        arguments: [
            ("", "object"), ("[]", "object"), ("1", "object"), ("\"{}\"", "object"),
            ("{", "JSON"), ("{}x", "JSON"), (#"{"a"}"#, "JSON"), (#"{"a":1,}"#, "JSON"), (#"{a:1}"#, "JSON"),
            (#"{"a":01}"#, "JSON"), (#"{"a":1.}"#, "JSON"), (#"{"a":+1}"#, "JSON"), (#"{"a":.5}"#, "JSON"),
            (#"{"a":nul}"#, "JSON"), (#"{"a":NaN}"#, "JSON"), ("{\"a\":\"\n\"}", "JSON"),
            (#"{"a":"\ud83d"}"#, "JSON"), (#"{"a":"\ude00\ud83d"}"#, "JSON"), (#"{"a":"\x"}"#, "JSON"),
            (#"{"a":1,"\u0061":2}"#, "twice"),
            ("{\"a\":" + String(repeating: "[", count: 8) + String(repeating: "]", count: 8) + "}", "deeper"),
            ("{" + (0...64).map { "\"\($0)\":0" }.joined(separator: ",") + "}", "64 keys"),
            ("{\"a\":\"" + String(repeating: "b", count: 4089) + "\"}", "4097 bytes"),
        ]
    )
    func refusals(json: String, reason: String) {
        #expect { try JobMeta(json: json.utf8) } throws: { error in
            (error as? JobMeta.Refusal)?.message.contains(reason) == true
        }
    }

    @Test("What the store has may be damaged: what can't be an object isn't, and none is looked into too far")
    func stored() {
        for text in [
            "", "[]", "x", "{}\u{0}", "{ \n}", "{\"a\":\"" + String(repeating: "b", count: 4089) + "\"}",
        ] {
            #expect(JobMeta(stored: text) == nil, "\(text)")
        }
        for text in ["{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"b\":{]", "{\"a\":nul}", "{1:2}"] {
            #expect(JobMeta(stored: text)?.text(of: "a") == nil, "\(text)")
        }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func encoding() {
        #expect(throws: JobMeta.Refusal.self) {
            try JobMeta(json: Array("{\"a\":\"".utf8) + [0xFF, 0x22, 0x7D])
        }
    }

    @Test("As much as may be is taken")
    func limits() throws {
        #expect(try text("{\"a\":\"" + String(repeating: "b", count: 4088) + "\"}").utf8.count == 4096)
        _ = try text("{\"a\":" + String(repeating: "[", count: 7) + String(repeating: "]", count: 7) + "}")
        _ = try text("{" + (1...64).map { "\"\($0)\":0" }.joined(separator: ",") + "}")
    }

    @Test("The text of a member is that of a string, or the JSON of any other value")
    func members() throws {
        let meta = try JobMeta(
            json: #"{"s":"a\"\u00e9\n","n":1.50,"b":true,"z":null,"o":{"s":"inner"},"l":[1,"}"],"\"":"q"}"#
                .utf8
        )
        let expected = [
            "s": "a\"é\n", "n": "1.50", "b": "true", "z": "null", "o": #"{"s":"inner"}"#, "l": #"[1,"}"]"#,
            "\"": "q",
        ]
        for (key, value) in expected { #expect(meta.text(of: key) == value, "\(key)") }
        for key in ["inner", "", "S", "s\""] { #expect(meta.text(of: key) == nil, "\(key)") }
        #expect(try JobMeta(json: "{}".utf8).text(of: "a") == nil)
    }

    @Test("Texts by their names make an object, whatever is in them")
    func pairs() throws {
        let meta = try JobMeta([(key: "b", value: "x=\"y\""), (key: "a\n", value: "")])
        #expect(meta.text == #"{"a\n":"","b":"x=\"y\""}"#)
        #expect(try JobMeta([(key: String, value: String)]()).text == "{}")
        #expect(throws: JobMeta.Refusal.self) {
            try JobMeta([(key: "a", value: "1"), (key: "a", value: "2")])
        }
    }
}
