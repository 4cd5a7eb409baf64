import Perennial
import PerennialConnect
import PerennialStore

/// Bindings of screenshots for App Review and of promotional images.
enum AssetBindings {
    static let all: [ConnectBinding] =
        [false, true].flatMap { renews -> [ConnectBinding] in
            let product = renews ? "subscription" : "inAppPurchase"
            return [
                screenshots("\(product)AppStoreReviewScreenshots", renews ? product : "\(product)V2", renews: renews),
                images("\(product)Images", product, renews: renews, isOfVersion: false),
                images("\(product)Images.v2", "version", renews: renews, isOfVersion: true),
                products("\(product)s", renews: renews), versions("\(product)Versions", renews: renews),
            ]
        }

    // MARK: - Screenshots and images

    private static func screenshots(_ type: String, _ parent: String, renews: Bool) -> ConnectBinding {
        var binding = assets(type, .screenshot, renews: renews) { product, asset, at in
            attributes(asset, at).merging([
                "sourceFileChecksum": .optional(asset.md5), "assetType": .text("SCREENSHOT"),
                "assetDeliveryState": deliveryState(asset),
            ]) { _, added in added }
        }
        binding.related[parent] = { id, _ in .optional(CatalogUUID(id).map { String($0.owner) }) }
        binding.create = { entity, at in
            try at.catalog.reserveScreenshot(
                of: try at.product(entity, parent, renews: renews), fileName: try entity.requiredText("fileName"),
                size: try entity.requiredInteger("fileSize"))
        }
        return binding
    }

    /// - Parameter isOfVersion: True for the second version of the resource, which belongs to a metadata version.
    private static func images(_ type: String, _ parent: String, renews: Bool, isOfVersion: Bool) -> ConnectBinding {
        var binding = assets(type, .image, renews: renews) { product, asset, at in
            var all = attributes(asset, at)
            if isOfVersion {
                all["assetDeliveryState"] = deliveryState(asset)
            } else {
                all["sourceFileChecksum"] = .optional(asset.md5)
                all["state"] = .text(imageState(asset, of: product))
            }
            return all
        }
        if !isOfVersion {
            binding.related[parent] = { id, _ in .optional(CatalogUUID(id).map { String($0.owner) }) }
        }
        binding.create = { entity, at in
            let product: Int64
            if isOfVersion {
                let version = try entity.requiredOne(parent)
                guard let found = try at.catalog.product(ofPart: version, .version, renews: renews),
                    found.currentVersion.id == version
                else { throw entity.unknownRelated(parent) }
                product = found.appleID
            } else {
                product = try at.product(entity, parent, renews: renews)
            }
            return try at.catalog.reserveImage(
                of: product, fileName: try entity.requiredText("fileName"),
                size: try entity.requiredInteger("fileSize"))
        }
        return binding
    }

    private static func assets(
        _ type: String, _ kind: CatalogUUID.Kind, renews: Bool,
        _ attributes: @escaping @Sendable (CatalogProduct, ListingAsset, ConnectReading) -> ConnectAttributes
    ) -> ConnectBinding {
        var binding = ConnectBinding(type: type) { id, at in
            guard CatalogUUID(id)?.kind == kind, let (product, asset) = try at.catalog.product(ofAsset: id),
                product.product.type.renews == renews
            else { return nil }
            return attributes(product, asset, at)
        }
        binding.update = { id, entity, at in
            guard try entity.bool("uploaded") == true else { return }
            try at.catalog.commitAsset(id, checksum: try entity.text("sourceFileChecksum"))
        }
        binding.delete = { id, at in try at.catalog.deleteAsset(id) }
        binding.unstable = ["uploadOperations"]
        binding.app = { id, at in try at.catalog.app(ofPart: id) }
        return binding
    }

    // MARK: - Products and versions

    private static func products(_ type: String, renews: Bool) -> ConnectBinding {
        var binding = ConnectBinding.addition(to: type)
        binding.related = [
            "appStoreReviewScreenshot": { id, at in
                .optional(try at.catalog.product(connectID: id, renews: renews)?.listing.screenshot?.id)
            },
            "images": { id, at in
                .many(try at.catalog.product(connectID: id, renews: renews)?.listing.images.map(\.id) ?? [])
            },
        ]
        return binding
    }

    private static func versions(_ type: String, renews: Bool) -> ConnectBinding {
        @Sendable func images(_ id: String, _ at: ConnectReading) throws -> [String] {
            try at.catalog.product(ofPart: id, .version, renews: renews)?.listing.images.map(\.id) ?? []
        }
        var binding = ConnectBinding.addition(to: type)
        binding.related = [
            "images": { id, at in .many(try images(id, at)) },
            "image": { id, at in .optional(try images(id, at).last) },
        ]
        return binding
    }

    // MARK: - Attributes

    private static func attributes(_ asset: ListingAsset, _ at: ConnectReading) -> ConnectAttributes {
        var image: ConnectValue = .null
        if asset.state == .complete, let width = asset.width, let height = asset.height {
            image = .object([
                "templateUrl": .text("\(at.baseURL)/assets/\(asset.id)/{w}x{h}bb.{f}"),
                "width": .integer(Int64(width)), "height": .integer(Int64(height)),
            ])
        }
        return [
            "fileName": .text(asset.fileName), "fileSize": .integer(asset.size), "imageAsset": image,
            "assetToken": .text(asset.publicToken), "uploadOperations": uploadOperations(asset, at),
        ]
    }

    /// The requests that upload the file; null after the end of the upload.
    private static func uploadOperations(_ asset: ListingAsset, _ at: ConnectReading) -> ConnectValue {
        guard asset.state == .awaitingUpload else { return .null }
        let expires = at.store.wallClockNow.milliseconds / 1000 + ListingAsset.uploadLifetime
        let type = asset.fileName.lowercased().hasSuffix(".png") ? "image/png" : "image/jpeg"
        return .array(
            asset.parts.map { part in
                let link = asset.link(toPartAt: part.offset, expires: expires)
                let query = "offset=\(link.offset)&expires=\(link.expires)&signature=\(link.signature)"
                return .object([
                    "method": .text("PUT"), "url": .text("\(at.baseURL)/assets/\(asset.id)/upload?\(query)"),
                    "offset": .integer(part.offset), "length": .integer(part.length),
                    "requestHeaders": .array([
                        .object(["name": .text("Content-Type"), "value": .text(type)])
                    ]),
                ])
            })
    }

    private static func deliveryState(_ asset: ListingAsset) -> ConnectValue {
        let errors = asset.error.map { error in
            ConnectValue.object(["code": .text("IMAGE_UPLOAD_FAILED"), "description": .text(error)])
        }
        return .object([
            "state": .text(asset.state.rawValue), "errors": .array([errors].compactMap(\.self)),
            "warnings": .array([]),
        ])
    }

    /// The state of the first version of an image resource: that of its upload, and then that of its product's texts.
    private static func imageState(_ asset: ListingAsset, of product: CatalogProduct) -> String {
        switch asset.state {
        case .awaitingUpload, .uploadComplete, .failed: asset.state.rawValue
        case .complete: product.currentVersion.state.ofLocalization
        }
    }
}
