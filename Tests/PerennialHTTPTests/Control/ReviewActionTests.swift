import HTTPTypes
import PerennialHTTP
import TestSupport
import Testing

/// Reviews of products and the end of codes in the control API (docs/reference/control.md, "Catalog").
struct ReviewActionTests {
    private static let draft = "/control/v1/apps/com.example.magazine/catalog/products/draft"
    /// The beginning of a PNG of 640 by 920 pixels.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 2, 0x80, 0, 0, 3, 0x98, 8, 6, 0, 0, 0]

    @Test func `a review begins, and its seller withdraws the product`() async throws {
        try await StoreServer.run { server in
            _ = try await server.control(.put, "/control/v1/review-mode", ["mode": "manual"])
            _ = try await server.control(.post, Self.draft, ["storefronts": ["USA"]])
            _ = try await server.send(
                .put, "\(Self.draft)/screenshot?fileName=screen.png", Self.png, bearer: StoreServer.controlToken)
            let submitted = try await server.control(.post, "\(Self.draft)/submit")
            #expect(submitted.status == 200, "\(String(decoding: submitted.body, as: UTF8.self))")
            let open = try await server.control(.get, "/control/v1/reviews")
            let id = try #require(open["reviews"]?.elements?.first?["submissionId"]?.text)
            let started = try await server.control(.post, "/control/v1/reviews/\(id)/start")
            #expect((started.status, started["state"]) == (200, "IN_REVIEW"))
            let withdrawn = try await server.control(.post, "\(Self.draft)/withdraw")
            #expect(withdrawn.status == 200)
            #expect(try await server.control(.get, "/control/v1/reviews")["reviews"] == [])
            #expect(try await server.control(.post, "\(Self.draft)/withdraw").status == 409)
        }
    }

    @Test func `the codes of a batch are deactivated by one of them`() async throws {
        try await StoreServer.run(app: TestCatalog.magazineWithOffers) { server in
            let path = "/sandbox/control/v1/apps/com.example.magazine/offer-codes"
            let made = try await server.control(
                .post, path, ["productId": "monthly", "offerId": "radio", "kind": "oneTime", "count": 2])
            let codes = try #require(made["codes"]?.elements).compactMap { $0["code"]?.text }
            #expect(codes.count == 2)
            func redeem(_ code: String) async throws -> Int {
                let body: JSONValue = ["bundleId": "com.example.magazine", "account": "bob", "code": .string(code)]
                return try await server.control(.post, "/sandbox/control/v1/redemptions", body).status
            }
            #expect(try await server.control(.post, "\(path)/\(codes[0].lowercased())/deactivate").status == 204)
            for code in codes { #expect(try await redeem(code) >= 400) }
            #expect(try await server.control(.post, "\(path)/NONE/deactivate").status == 404)
        }
    }

    @Test func `all prices of a date are cancelled in one call`() async throws {
        try await StoreServer.run { server in
            let path = "/control/v1/apps/com.example.magazine/catalog/products/film.roll/prices"
            let at: JSONValue = "2094-01-01T00:00:00Z"
            for storefront in ["USA", "DEU"] {
                let body: JSONValue = ["price": 1990, "at": at, "storefront": .string(storefront)]
                #expect(try await server.control(.post, path, body).status == 200)
            }
            let all: JSONValue = ["at": at, "all": true]
            let cancelled = try await server.control(.post, "\(path)/cancel", all)
            #expect(cancelled.status == 200)
            #expect(try await server.control(.post, "\(path)/cancel", all).status >= 400)
        }
    }
}
