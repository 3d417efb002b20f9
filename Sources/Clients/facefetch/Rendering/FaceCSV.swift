import ControlAPI
import ExportFormats

/// Formats documents and their faces as comma-separated values (RFC 4180).
enum FaceCSV {
    /// The heading, including its line ending.
    static let heading = "job,faces,name,path,url,sha256,engine\r\n"

    /// Returns the row of a document, including its line ending.
    static func row(_ job: JobJSON, count: Int) -> String {
        [
            String(job.id), String(count), job.name, job.path ?? "", job.url, job.sha256 ?? "",
            job.detection?.engine.text ?? "",
        ].map(field).joined(separator: ",") + "\r\n"
    }

    /// Returns a field, quoted if it contains commas, quotes or line endings, and with an apostrophe wherever a
    /// spreadsheet would begin a formula.
    private static func field(_ text: String) -> String {
        let safe = SpreadsheetText.marked(text)
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
