import HTTPTypes
import TestSupport
import Testing

/// Files that an operator sends (docs/reference/seller-operations.md, "Uploaded content").
struct ProductFileRouteTests {
    private static let product = "/control/v1/apps/com.example.magazine/catalog/products/film.roll"

    @Test func `a screenshot is replaced by another one`() async throws {
        try await StoreServer.run { server in
            for _ in 0..<2 {
                let sent = try await server.send(
                    .put, "\(Self.product)/screenshot?fileName=screen.png", AssetEndpointTests.png,
                    bearer: StoreServer.controlToken)
                #expect(sent.status == 200 && sent["width"] == 640 && sent["height"] == 920)
            }
            let text = try await server.send(
                .put, "\(Self.product)/screenshot?fileName=screen.png", Array("GIF89a".utf8),
                bearer: StoreServer.controlToken)
            #expect(text.status == 409)
        }
    }

    @Test func `a store without a content server takes no content`() async throws {
        try await StoreServer.run { server in
            let sent = try await server.send(
                .put, "\(Self.product)/content?fileName=pack.zip", [1], bearer: StoreServer.controlToken)
            #expect(sent.status == 409 && sent.error?["code"] == "noContentServer")
            let wrong = try await server.send(
                .put, "\(Self.product)/content?fileName=..", [1], bearer: StoreServer.controlToken)
            #expect(wrong.status == 409 && wrong.error?["code"] == "invalid")
            #expect(try await server.control(.get, "\(Self.product)/content")["versions"] == .array([]))
        }
    }
}
