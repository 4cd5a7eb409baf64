import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

/// Screenshots for App Review and promotional images (docs/reference/seller-operations.md, "Screenshots and images").
struct AssetEndpointTests {
    /// The beginning of a PNG of 640 by 920 pixels, which is all that the store reads of it.
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 2, 0x80, 0, 0, 3, 0x98, 8, 6, 0, 0, 0]

    private static func md5(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(Array(Insecure.MD5.hash(data: bytes)))
    }

    private static func reserve(
        _ connect: ConnectServer, _ product: String, size: Int
    ) async throws -> StoreServer.Reply {
        try await connect.create(
            "v1/inAppPurchaseAppStoreReviewScreenshots",
            ["fileName": "screen.png", "fileSize": .number(Double(size))],
            ["inAppPurchaseV2": ConnectLink("inAppPurchases", product)])
    }

    /// Sends the parts of a file to the addresses of a reservation, the last part first.
    private static func upload(_ bytes: [UInt8], _ reserved: StoreServer.Reply, _ connect: ConnectServer) async throws {
        let operations = try #require(reserved.attributes["uploadOperations"]?.elements)
        for operation in operations.reversed() {
            let url = try #require(operation["url"]?.text.flatMap { URL(string: $0) })
            let offset = Int(try #require(operation["offset"]?.number))
            let length = Int(try #require(operation["length"]?.number))
            let path = "\(url.path)?\(url.query() ?? "")"
            let reply = try await connect.server.send(.put, path, Array(bytes[offset..<(offset + length)]))
            #expect(reply.status == 200)
        }
    }

    @Test func `a screenshot is reserved, uploaded in parts and committed with its checksum`() async throws {
        try await ConnectServer.run { connect in
            let product = try await connect.makeProduct()
            let bytes = Self.png + [UInt8](repeating: 7, count: 5 << 20)
            let reserved = try await Self.reserve(connect, product, size: bytes.count)
            #expect(reserved.status == 201)
            #expect(reserved.attributes["assetDeliveryState"]?["state"] == "AWAITING_UPLOAD")
            #expect(reserved.attributes["uploadOperations"]?.elements?.count == 2)
            let id = try #require(reserved.data?["id"]?.text)
            try await Self.upload(bytes, reserved, connect)
            let committed = try await connect.change(
                "v1/inAppPurchaseAppStoreReviewScreenshots", id,
                ["uploaded": true, "sourceFileChecksum": .string(Self.md5(bytes))])
            #expect(committed.attributes["assetDeliveryState"]?["state"] == "COMPLETE")
            #expect(committed.attributes["imageAsset"]?["width"] == 640)
            #expect(committed.attributes["uploadOperations"] == .null)
            let read = try await connect.read("v2/inAppPurchases/\(product)/appStoreReviewScreenshot")
            #expect(read.data?["id"]?.text == id)
            let seen = try await connect.server.ask(.get, "/assets/\(id)/640x920bb.png")
            #expect(seen.status == 200 && seen.body == bytes)

            let second = try await Self.reserve(connect, product, size: 100)
            #expect((second.status, second.connectCode) == (409, "STATE_ERROR.ENTITY_STATE_INVALID"))
            #expect(try await connect.remove("v1/inAppPurchaseAppStoreReviewScreenshots", id).status == 204)
            #expect(try await connect.server.ask(.get, "/assets/\(id)/640x920bb.png").status == 404)
        }
    }

    @Test func `an image of an imported catalog, whose bytes no file has, isn't found`() async throws {
        try await ConnectServer.run { connect in
            let product = try await connect.makeProduct()
            let reserved = try await Self.reserve(connect, product, size: Self.png.count)
            let id = try #require(reserved.data?["id"]?.text)
            try await Self.upload(Self.png, reserved, connect)
            #expect(
                try await connect.change(
                    "v1/inAppPurchaseAppStoreReviewScreenshots", id, ["uploaded": true]
                ).attributes["assetDeliveryState"]?["state"] == "COMPLETE")
            let place = "/assets/\(id)/640x920bb.png"
            #expect(try await connect.server.ask(.get, place).status == 200)
            // As in a store that has imported the catalog of this one.
            try await connect.shop.database.write { try CatalogAssetsTable.delete(id, on: $0) }
            let reply = try await connect.server.ask(.get, place)
            #expect((reply.status, reply.error?["code"]) == (404, "notFound"))
        }
    }

    @Test func `a wrong checksum fails and a wrong part is refused`() async throws {
        try await ConnectServer.run { connect in
            let product = try await connect.makeProduct()
            let reserved = try await Self.reserve(connect, product, size: Self.png.count)
            let id = try #require(reserved.data?["id"]?.text)
            let url = try #require(
                reserved.attributes["uploadOperations"]?.elements?.first?["url"]?.text.flatMap { URL(string: $0) })
            let path = "\(url.path)?\(url.query() ?? "")"
            #expect(try await connect.server.send(.put, path, [1, 2]).status == 409)
            #expect(try await connect.server.send(.put, "\(path)0", Self.png).status == 404)
            try await Self.upload(Self.png, reserved, connect)
            let committed = try await connect.change(
                "v1/inAppPurchaseAppStoreReviewScreenshots", id,
                ["uploaded": true, "sourceFileChecksum": "00000000000000000000000000000000"])
            #expect(committed.status == 200)
            let state = try #require(committed.attributes["assetDeliveryState"])
            #expect(state["state"] == "FAILED" && state["errors"]?.elements?.count == 1)
        }
    }

    @Test func `an image belongs to a product and to its versions`() async throws {
        try await ConnectServer.run { connect in
            let product = try await connect.makeProduct()
            let version = try #require(try await connect.read("v2/inAppPurchases/\(product)/versions").ids.first)
            let reserved = try await connect.create(
                "v2/inAppPurchaseImages",
                ["fileName": "promo.png", "fileSize": .number(Double(Self.png.count))],
                ["version": ConnectLink("inAppPurchaseVersions", version)])
            #expect(reserved.status == 201)
            let id = try #require(reserved.data?["id"]?.text)
            try await Self.upload(Self.png, reserved, connect)
            let committed = try await connect.change("v2/inAppPurchaseImages", id, ["uploaded": true])
            #expect(committed.attributes["assetDeliveryState"]?["state"] == "COMPLETE")
            #expect(try await connect.read("v1/inAppPurchaseVersions/\(version)/images").ids == [id])
            #expect(
                try await connect.read("v1/inAppPurchaseImages/\(id)").attributes["state"] == "PREPARE_FOR_SUBMISSION")
            #expect(try await connect.read("v2/inAppPurchases/\(product)/images").ids == [id])
        }
    }
}
