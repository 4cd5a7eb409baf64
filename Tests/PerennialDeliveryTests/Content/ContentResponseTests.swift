import PerennialDelivery
import Testing

struct ContentResponseTests {
    static let metadata = FileMetadata(size: 100, sha256: Array(0..<32), modified: 784_111_777)
    static let tag = metadata.entityTag
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    static let decisions: [(request: ContentRequest, status: Int, body: Range<Int64>)] = [
        (ContentRequest(), 200, 0..<100),
        (ContentRequest(isHead: true), 200, 0..<0),
        (ContentRequest(range: "bytes=10-19"), 206, 10..<20),
        (ContentRequest(isHead: true, range: "bytes=10-19"), 200, 0..<0),
        (ContentRequest(range: "bytes=100-"), 416, 0..<0),
        (ContentRequest(range: "lines=1-2"), 200, 0..<100),
        (ContentRequest(range: "bytes=10-", ifRange: tag), 206, 10..<100),
        (ContentRequest(range: "bytes=10-", ifRange: "\"other\""), 200, 0..<100),
        (ContentRequest(range: "bytes=10-", ifRange: "W/\(tag)"), 200, 0..<100),
        (ContentRequest(range: "bytes=10-", ifRange: date), 206, 10..<100),
        (ContentRequest(range: "bytes=10-", ifRange: later), 200, 0..<100),
        (ContentRequest(range: "bytes=100-", ifRange: "\"other\""), 200, 0..<100),
        (ContentRequest(ifNoneMatch: tag), 304, 0..<0),
        (ContentRequest(ifNoneMatch: "\"other\", W/\(tag)"), 304, 0..<0),
        (ContentRequest(ifNoneMatch: "*"), 304, 0..<0),
        (ContentRequest(ifNoneMatch: "\"other\""), 200, 0..<100),
        (ContentRequest(range: "bytes=10-19", ifNoneMatch: tag), 304, 0..<0),
        (ContentRequest(ifModifiedSince: date), 304, 0..<0),
        (ContentRequest(ifModifiedSince: later), 304, 0..<0),
        (ContentRequest(ifModifiedSince: earlier), 200, 0..<100),
        (ContentRequest(ifModifiedSince: "yesterday"), 200, 0..<100),
        (ContentRequest(ifNoneMatch: "\"other\"", ifModifiedSince: date), 200, 0..<100),
        (ContentRequest(ifMatch: tag), 200, 0..<100),
        (ContentRequest(ifMatch: "*"), 200, 0..<100),
        (ContentRequest(ifMatch: "\"other\""), 412, 0..<0),
        (ContentRequest(ifMatch: "W/\(tag)"), 412, 0..<0),
        (ContentRequest(ifUnmodifiedSince: earlier), 412, 0..<0),
        (ContentRequest(ifUnmodifiedSince: date), 200, 0..<100),
        (ContentRequest(ifMatch: tag, ifUnmodifiedSince: earlier), 200, 0..<100),
    ]

    @Test(arguments: decisions)
    func `conditions and ranges follow RFC 9110`(
        row: (request: ContentRequest, status: Int, body: Range<Int64>)
    ) {
        let response = ContentResponse.decide(row.request, for: Self.metadata, filename: "issue.pdf")
        #expect(response.status == row.status)
        #expect(response.body == row.body)
        #expect(response.headers.contains { $0 == ("ETag", Self.tag) })
    }

    @Test func `a partial answer has its range and the whole file's digests`() {
        func headers(_ request: ContentRequest) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: ContentResponse.decide(request, for: Self.metadata, filename: "issue.pdf").headers
                    .map {
                        ($0.name, $0.value)
                    })
        }
        let part = headers(ContentRequest(range: "bytes=10-19"))
        #expect(part["Content-Range"] == "bytes 10-19/100")
        #expect(part["Digest"] == "sha-256=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(part["Repr-Digest"] == "sha-256=:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=:")
        #expect(part["Last-Modified"] == Self.date)
        #expect(part["Accept-Ranges"] == "bytes")
        #expect(part["Content-Disposition"] == "attachment; filename=\"issue.pdf\"")
        #expect(headers(ContentRequest(range: "bytes=100-"))["Content-Range"] == "bytes */100")
    }

    @Test(arguments: [
        ("issue.pdf", "attachment; filename=\"issue.pdf\""),
        ("Heft März.pdf", "attachment; filename=\"Heft M_rz.pdf\"; filename*=UTF-8''Heft%20M%C3%A4rz.pdf"),
        ("a\"b\\c.pdf", "attachment; filename=\"a_b_c.pdf\"; filename*=UTF-8''a%22b%5Cc.pdf"),
        ("a\r\nSet-Cookie: x", "attachment; filename=\"a__Set-Cookie: x\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x"),
        ("100%.txt", "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt"),
    ])
    func `a filename is encoded for every client`(name: String, header: String) {
        #expect(ContentDisposition.attachment(filename: name) == header)
    }

    @Test(arguments: [0, 784_111_777, 951_782_400, 4_102_444_799] as [Int64])
    func `written dates are read back`(seconds: Int64) {
        #expect(HTTPDate.seconds(HTTPDate.text(seconds: seconds)) == seconds)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
    ])
    func `other forms of dates are refused`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
