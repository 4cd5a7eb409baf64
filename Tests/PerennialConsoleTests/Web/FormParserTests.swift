import TestRandomness
import Testing

@testable import PerennialConsole

@Suite("Console: forms")
struct FormParserTests {
    @Test("fields of a form are decoded")
    func urlEncoded() throws {
        let fields = try URLEncodedForm.fields(Array("a=1+2&b=%C3%BC&a=3&c&d=%zz%4&=x".utf8))
        #expect(fields == ["a": ["1 2", "3"], "b": ["ü"], "c": [""], "d": ["%zz%4"], "": ["x"]])
        #expect(throws: ConsoleError.self) {
            try URLEncodedForm.fields(Array(String(repeating: "a=1&", count: 2_001).utf8))
        }
    }

    private static let boundary = "xYz"
    private static let body = Array(
        """
        --xYz\r
        Content-Disposition: form-data; name="word"\r
        \r
        one\r
        two\r
        --xYz\r
        content-disposition: form-data; name="file"; filename="C:\\photos\\a%22.png"\r
        Content-Type: image/png\r
        \r
        \u{1}--xY\r
        -\r
        --xYz\r
        Content-Disposition: form-data; name="none"; filename=""\r
        Content-Type: application/octet-stream\r
        \r
        \r
        --xYz--\r

        """.utf8)

    @Test("fields and files of a form with files are read")
    func multipart() throws {
        #expect(MultipartForm.boundary(ofType: "Multipart/Form-Data; boundary=\"xYz\"") == "xYz")
        #expect(MultipartForm.boundary(ofType: "multipart/form-data") == nil)
        #expect(MultipartForm.boundary(ofType: "text/plain; boundary=x") == nil)
        let values = try MultipartForm.values(Self.body, boundary: Self.boundary)
        #expect(values["word"] == "one\r\ntwo")
        #expect(values.files.keys.sorted() == ["file"])
        #expect(values.files["file"]?.name == "a\".png")
        #expect(values.files["file"]?.bytes == Array("\u{1}--xY\r\n-".utf8))
    }

    @Test("mutated forms are read or refused, and never crash")
    func mutated() {
        var random = SeededGenerator(seed: 16)
        for _ in 0..<2_000 {
            var bytes = Self.body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.removeSubrange(index...)
                default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            _ = try? MultipartForm.values(bytes, boundary: Self.boundary)
            _ = try? URLEncodedForm.fields(bytes)
        }
    }

    @Test(
        "names of downloads are safe",
        arguments: [
            ("report.csv", "attachment; filename=\"report.csv\""),
            ("../../etc/passwd", "attachment; filename=\"passwd\""),
            ("a\"; b=\r\nSet-Cookie: x", "attachment; filename=\"a b=Set-Cookie x\""),
            ("", "attachment; filename=\"download\""), (".htaccess", "attachment; filename=\"htaccess\""),
            ("gpj\u{202E}exe", "attachment; filename=\"gpjexe\""),
        ])
    func names(name: String, field: String) {
        #expect(DownloadDisposition.attachment(name) == field)
    }
}
