import ControlAPI
import JobModel
import SourceCore
import Vocabulary

// How options of a job are read from requests and shown. A new option needs no other place in the
// server.
extension JobOptions {
    /// Reads an option from a member of an item.
    mutating func apply(
        _ key: BatchRequest.Item.CodingKeys,
        _ value: JSONValue,
        _ errors: inout ItemErrors
    ) {
        let name = key.rawValue
        switch (key, value) {
        case (_, .null): break
        case (.sha256, .string(let text)):
            expectedSHA256 = text.lowercased()
            if !text.utf8.isHex(count: 64) { errors.refuse(name, "a SHA-256 is 64 hexadecimal digits") }
        case (.sha256, let value):
            errors.refuse(name, "this must be a string, not \(value.kindName)")
        case (.folder, .string(let text)):
            do throws(DocumentFolder.Refusal) { folder = try DocumentFolder(text) } catch {
                errors.refuse(name, error.message)
            }
        case (.folder, let value):
            errors.refuse(name, "this must be a string, not \(value.kindName)")
        case (.rateLimit, .integer(let number)):
            rateLimit = number
            if !BatchRequest.Item.rates.contains(number) {
                let rates = BatchRequest.Item.rates
                errors.refuse(name, "a rate is \(rates.lowerBound) to \(rates.upperBound) bytes per second")
            }
        case (.rateLimit, let value):
            errors.refuse(name, "a rate is an integer, in bytes per second, not \(value.kindName)")
        // These are not options, or, like header fields, are objects and read elsewhere.
        case (.url, _), (.name, _), (.priority, _), (.headers, _), (.cookies, _), (.meta, _): break
        }
    }

    /// Reads the facts to keep with the job, which are an object; `text` is that as it came.
    mutating func takeMeta(_ value: JSONValue, _ text: ArraySlice<UInt8>, _ errors: inout ItemErrors) {
        switch value {
        case .null: break
        case .object:
            do throws(JobMeta.Refusal) { meta = try JobMeta(json: text) } catch {
                errors.refuse("meta", error.message)
            }
        default: errors.refuse("meta", "this must be an object, not \(value.kindName)")
        }
    }

    /// Shows those options that anyone may see.
    func show(in job: inout JobJSON) {
        job.rateLimit = rateLimit
        job.weight = weight == 1 ? nil : weight
        job.expectedSHA256 = expectedSHA256
        job.source = source
        // It is the URL, where an item has nothing else.
        job.itemKey = itemKey.map(UserInformation.masked(in:))
        job.meta = meta.map { MetaJSON(verbatim: $0.text) }
    }
}
