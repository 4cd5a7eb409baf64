import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A part of an upload, as its URL names it.
package struct AssetUploadLink: Hashable, Sendable {
    package let asset: String
    package let offset: Int64
    /// The end in seconds since 1970, by real time.
    package let expires: Int64
    package let signature: String

    package init(asset: String, offset: Int64, expires: Int64, signature: String) {
        self.asset = asset
        self.offset = offset
        self.expires = expires
        self.signature = signature
    }
}

extension ListingAsset {
    /// Returns the link for a part of the upload. Its signature needs the asset's secret token.
    package func link(toPartAt offset: Int64, expires: Int64) -> AssetUploadLink {
        let text = "\(token) \(id) \(offset) \(expires)"
        let signature = Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)))
        return AssetUploadLink(asset: id, offset: offset, expires: expires, signature: signature)
    }

    /// A name of the asset that tells nothing about the secret token.
    package var publicToken: String {
        Hexadecimal.encode(SHA256.hash(data: Data("asset \(token)".utf8)).prefix(16))
    }

    /// Returns a new secret token.
    package static func makeToken() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Hexadecimal.encode(Array($0)) }
    }
}

extension CatalogReader {
    /// Returns the product of a screenshot or an image.
    package func product(ofAsset id: String) throws -> (product: CatalogProduct, asset: ListingAsset)? {
        guard let uuid = CatalogUUID(id), uuid.kind == .screenshot || uuid.kind == .image,
            let product = try product(uuid.owner), let asset = product.asset(id)
        else { return nil }
        return (product, asset)
    }

    /// Returns the file of a screenshot or an image; `nil` if the upload hasn't ended, or if the catalog came from a file,
    /// which has the description of an image and not its bytes.
    package func file(ofAsset id: String) throws -> (name: String, bytes: [UInt8])? {
        guard let (_, asset) = try product(ofAsset: id), asset.state == .complete else { return nil }
        let bytes = try bytes(ofAsset: id)
        return Int64(bytes.count) == asset.size ? (asset.fileName, bytes) : nil
    }

    /// Returns the bytes of a screenshot or an image, as far as they are uploaded.
    package func bytes(ofAsset id: String) throws -> [UInt8] {
        try CatalogAssetsTable.parts(of: id, on: connection).flatMap(\.bytes)
    }
}

extension CatalogDraft {
    /// Reserves a screenshot for App Review.
    ///
    /// - Returns: Its ID.
    /// - Throws: ``CatalogEditError``.
    package func reserveScreenshot(of appleID: Int64, fileName: String, size: Int64) throws -> String {
        let asset = try newAsset(.screenshot, of: appleID, fileName, size)
        try update(appleID) { try $0.addScreenshot(asset) }
        return asset.id
    }

    /// Reserves a promotional image.
    ///
    /// - Returns: Its ID.
    /// - Throws: ``CatalogEditError``.
    package func reserveImage(of appleID: Int64, fileName: String, size: Int64) throws -> String {
        let asset = try newAsset(.image, of: appleID, fileName, size)
        try update(appleID) { try $0.addImage(asset) }
        return asset.id
    }

    /// Stores a part of an upload.
    ///
    /// - Throws: ``CatalogEditError`` for an unknown or expired link, an upload that has ended, or a part of another length.
    package func upload(_ bytes: [UInt8], by link: AssetUploadLink) throws {
        guard let (_, asset) = try product(ofAsset: link.asset),
            asset.link(toPartAt: link.offset, expires: link.expires) == link, link.expires > at.milliseconds / 1000
        else {
            throw CatalogEditError(
                .notFound, "This link is not or no longer valid: read the resource again for a new one")
        }
        guard asset.state == .awaitingUpload else {
            throw CatalogEditError(.stateInvalid, "The upload has ended: the asset is \(asset.state.rawValue)")
        }
        guard let part = asset.parts.first(where: { $0.offset == link.offset }), part.length == Int64(bytes.count)
        else {
            throw CatalogEditError(.invalid, "The part at \(link.offset) doesn't have \(bytes.count) bytes")
        }
        try CatalogAssetsTable.put(bytes, at: link.offset, of: link.asset, on: connection)
    }

    /// Ends an upload.
    ///
    /// - Parameter checksum: The MD5 digest of the file in hexadecimal digits; `nil` to compare the size only.
    /// - Throws: ``CatalogEditError``.
    package func commitAsset(_ id: String, checksum: String?) throws {
        guard let (product, _) = try product(ofAsset: id) else {
            throw CatalogEditError(.notFound, "There is no asset with id '\(id)'")
        }
        let bytes = try bytes(ofAsset: id)
        let uploaded = UploadedAsset(
            size: Int64(bytes.count), md5: Hexadecimal.encode(Array(Insecure.MD5.hash(data: bytes))),
            header: ImageHeader(bytes))
        try update(product.appleID) { try $0.updateAsset(id) { try $0.commit(uploaded, checksum: checksum) } }
    }

    /// Deletes a screenshot or an image with its bytes.
    ///
    /// - Throws: ``CatalogEditError``.
    package func deleteAsset(_ id: String) throws {
        guard let (product, _) = try product(ofAsset: id) else {
            throw CatalogEditError(.notFound, "There is no asset with id '\(id)'")
        }
        try update(product.appleID) { try $0.removeAsset(id) }
        try CatalogAssetsTable.delete(id, on: connection)
    }

    /// Adds a complete screenshot at once.
    ///
    /// - Returns: Its ID.
    /// - Throws: ``CatalogEditError``; `.invalid` for a file that is no image.
    package func putScreenshot(of appleID: Int64, fileName: String, _ bytes: [UInt8]) throws -> String {
        guard ImageHeader(bytes) != nil else {
            throw CatalogEditError(.invalid, "The file is no PNG or JPEG image")
        }
        let id = try reserveScreenshot(of: appleID, fileName: fileName, size: Int64(bytes.count))
        try CatalogAssetsTable.put(bytes, at: 0, of: id, on: connection)
        try commitAsset(id, checksum: nil)
        return id
    }

    private func newAsset(
        _ kind: CatalogUUID.Kind, of appleID: Int64, _ fileName: String, _ size: Int64
    ) throws -> ListingAsset {
        let id = CatalogUUID(kind, owner: appleID, version: 0, part: "\(try nextNumber())").text
        return ListingAsset(id: id, fileName: fileName, size: size, token: ListingAsset.makeToken())
    }
}
