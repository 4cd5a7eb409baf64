import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Perennial
import PerennialDelivery
import PerennialStorage
import Testing

struct ContentTests {
    @Test func `a content comes with all that a client wants to know`() async throws {
        let (_, deliveries) = try await DeliveryServer.run { server in
            let answer = try await server.ask("content/pack", bearer: server.grant())
            #expect(answer.status == 200)
            #expect(answer.text == "0123456789")
            #expect(answer["Content-Length"] == "10")
            #expect(answer["Accept-Ranges"] == "bytes")
            #expect(answer["ETag"] == "\"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882\"")
            #expect(answer["Digest"] == "sha-256=hNiYd/DUBB77a/kaFvAkjy/Vc+avBcGflr7bn4gveII=")
            #expect(answer["Repr-Digest"] == "sha-256=:hNiYd/DUBB77a/kaFvAkjy/Vc+avBcGflr7bn4gveII=:")
            #expect(
                answer["Content-Disposition"] == "attachment; filename=\"L_we.zip\"; filename*=UTF-8''L%C3%B6we.zip")
            #expect(answer["Last-Modified"]?.hasSuffix("GMT") == true)
        }
        #expect(deliveries.map(\.bytesSent) == [10])
        #expect(deliveries.map(\.isComplete) == [true])
        #expect(deliveries.map(\.version) == ["2.0"])
        #expect(deliveries.map(\.transactionID.rawValue) == [1])
    }

    @Test func `HEAD tells the same without a body and is no delivery`() async throws {
        let (_, deliveries) = try await DeliveryServer.run { server in
            let answer = try await server.ask("content/pack", .HEAD, bearer: server.grant())
            #expect(answer.status == 200)
            #expect(answer["Content-Length"] == "10")
            #expect(answer["ETag"] != nil)
            #expect(answer.body.isEmpty)
        }
        #expect(deliveries.isEmpty)
    }

    @Test func `parts, conditions and what lies outside`() async throws {
        let (_, deliveries) = try await DeliveryServer.run { server in
            let grant = try await server.grant()
            func ask(_ headers: [String: String]) async throws -> Answer {
                try await server.ask("content/pack", headers: headers, bearer: grant)
            }
            let tag = try #require(try await ask(["Range": "bytes=2-4"])["ETag"])
            let part = try await ask(["Range": "bytes=2-4"])
            #expect((part.status, part.text) == (206, "234"))
            #expect(part["Content-Range"] == "bytes 2-4/10")
            #expect(part["Content-Length"] == "3")
            #expect(try await ask(["Range": "bytes=-3", "If-Range": tag]).text == "789")
            #expect(try await ask(["Range": "bytes=-3", "If-Range": "\"old\""]).text == "0123456789")
            let outside = try await ask(["Range": "bytes=10-"])
            #expect(outside.status == 416)
            #expect(outside["Content-Range"] == "bytes */10")
            let known = try await ask(["If-None-Match": tag])
            #expect((known.status, known.body) == (304, []))
        }
        #expect(deliveries.map(\.byteCount).sorted() == [3, 3, 3, 10])
    }

    @Test func `content is for those who may have it`() async throws {
        _ = try await DeliveryServer.run { server in
            let grant = try await server.grant()
            for (path, bearer, status, code) in [
                ("content/pack", nil, 401, "unauthorized"), ("content/pack", "wrong", 401, "unauthorized"),
                ("content/other", grant, 403, "notGranted"), ("content/none", grant, 404, "contentNotFound"),
                ("content/..%2Fpack", grant, 404, "contentNotFound"),
            ] {
                let answer = try await server.ask(path, bearer: bearer)
                #expect(answer.status == status)
                #expect(answer.text.contains("\"code\":\"\(code)\""), "\(answer.text)")
            }
        }
    }

    @Test func `a download that was cut resumes where it stopped, byte for byte`() async throws {
        let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        let (_, deliveries) = try await DeliveryServer.run(file: file) { server in
            let grant = try await server.grant()
            let (first, tag) = try await server.cutDownload(grant, after: 1_000_000)
            #expect(first.count >= 1_000_000 && first.count < file.count)
            let rest = try await server.ask(
                "content/pack", headers: ["Range": "bytes=\(first.count)-", "If-Range": tag], bearer: grant)
            #expect(rest.status == 206)
            #expect(first + rest.body == file)
        }
        #expect(deliveries.count == 2)
        #expect(deliveries.contains { $0.firstByte > 0 && $0.isComplete && $0.bytesSent == $0.byteCount })
    }
}

extension DeliveryServer {
    /// Downloads the beginning and hangs up.
    fileprivate func cutDownload(_ grant: String, after bytes: Int) async throws -> (bytes: [UInt8], tag: String) {
        let client = HTTPClient()
        var received: [UInt8] = []
        var tag = ""
        do {
            var request = HTTPClientRequest(url: "\(base)/content/pack")
            request.headers.add(name: "Authorization", value: "Bearer \(grant)")
            let response = try await client.execute(request, timeout: .seconds(60))
            tag = response.headers.first(name: "ETag") ?? ""
            for try await chunk in response.body {
                received += Array(chunk.readableBytesView)
                if received.count >= bytes { break }
            }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return (received, tag)
    }
}
