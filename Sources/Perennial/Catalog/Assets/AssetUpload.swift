/// The uploaded part of a screenshot or an image.
package struct UploadedAsset: Hashable, Sendable {
    package var size: Int64
    /// The digest in hexadecimal digits.
    package var md5: String
    /// `nil` for a file that is neither PNG nor JPEG.
    package var header: ImageHeader?

    package init(size: Int64, md5: String, header: ImageHeader?) {
        self.size = size
        self.md5 = md5
        self.header = header
    }
}

extension ListingAsset {
    /// A limit of this store, in bytes.
    package static let maximumSize: Int64 = 32 << 20
    /// The size of a part of the upload, in bytes. The last part may be smaller.
    package static let partSize: Int64 = 4 << 20
    /// The time in which an upload must begin, in seconds.
    package static let uploadLifetime: Int64 = 3600

    /// Checks a file that a seller wants to upload.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package static func check(fileName: String, size: Int64) throws {
        let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
        guard fileName.count <= 255, ["png", "jpg", "jpeg"].contains(suffix), !fileName.contains("/") else {
            throw CatalogEditError(
                .invalid, at: .attribute("fileName"),
                "The name has 255 characters at most and ends in .png, .jpg or .jpeg")
        }
        guard (1...maximumSize).contains(size) else {
            throw CatalogEditError(.invalid, at: .attribute("fileSize"), "The file has 1 to \(maximumSize) bytes")
        }
    }

    /// The parts of the upload: offset and length.
    package var parts: [(offset: Int64, length: Int64)] {
        stride(from: 0, to: size, by: Int64.Stride(Self.partSize)).map {
            (offset: $0, length: min(Self.partSize, size - $0))
        }
    }

    /// Ends the upload: compares what arrived with what was announced. A file that differs fails.
    ///
    /// - Parameter checksum: The MD5 digest that the seller computed; `nil` to compare the size only.
    /// - Throws: ``CatalogEditError`` `.stateInvalid` for an asset whose upload has ended.
    package mutating func commit(_ uploaded: UploadedAsset, checksum: String?) throws {
        guard state == .awaitingUpload else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("uploaded"), "The upload has ended: the asset is \(state.rawValue)")
        }
        md5 = checksum?.lowercased() ?? uploaded.md5
        if uploaded.size != size {
            error = "\(uploaded.size) of \(size) bytes were uploaded"
        } else if let checksum, checksum.lowercased() != uploaded.md5 {
            error = "the checksum of the uploaded bytes is \(uploaded.md5)"
        } else if uploaded.header == nil {
            error = "the file is no PNG or JPEG image"
        }
        state = error == nil ? .complete : .failed
        (width, height) = (uploaded.header?.width, uploaded.header?.height)
    }
}

extension CatalogProduct {
    /// The most promotional images of a product; a limit of this store.
    package static let maximumImages = 10

    /// Adds a screenshot for App Review, whose bytes follow.
    ///
    /// - Throws: ``CatalogEditError``; `.stateInvalid` if there is one, which must be deleted first.
    package mutating func addScreenshot(_ asset: ListingAsset) throws {
        try ListingAsset.check(fileName: asset.fileName, size: asset.size)
        guard listing.screenshot == nil else {
            throw CatalogEditError(.stateInvalid, "The product has a screenshot: delete it first")
        }
        try expectNotInReview()
        listing.screenshot = asset
    }

    /// Adds a promotional image, whose bytes follow.
    ///
    /// - Throws: ``CatalogEditError``.
    package mutating func addImage(_ asset: ListingAsset) throws {
        try ListingAsset.check(fileName: asset.fileName, size: asset.size)
        guard listing.images.count < Self.maximumImages else {
            throw CatalogEditError(.limit, "The product has \(Self.maximumImages) images: delete one first")
        }
        try expectNotInReview()
        listing.images.append(asset)
    }

    /// Returns a screenshot or an image.
    package func asset(_ id: String) -> ListingAsset? {
        listing.screenshot?.id == id ? listing.screenshot : listing.images.first { $0.id == id }
    }

    /// Changes a screenshot or an image.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, or the error of the change.
    package mutating func updateAsset(_ id: String, _ change: (inout ListingAsset) throws -> Void) throws {
        if var asset = listing.screenshot, asset.id == id {
            try change(&asset)
            listing.screenshot = asset
        } else if let index = listing.images.firstIndex(where: { $0.id == id }) {
            try change(&listing.images[index])
        } else {
            throw CatalogEditError(.notFound, "The product has no such asset: \(id)")
        }
    }

    /// Deletes a screenshot or an image.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, or `.stateInvalid` while the product is reviewed.
    package mutating func removeAsset(_ id: String) throws {
        guard asset(id) != nil else { throw CatalogEditError(.notFound, "The product has no such asset: \(id)") }
        try expectNotInReview()
        if listing.screenshot?.id == id { listing.screenshot = nil }
        listing.images.removeAll { $0.id == id }
    }

    private func expectNotInReview() throws {
        guard ![.waitingForReview, .inReview].contains(product.state) else {
            throw CatalogEditError(.stateInvalid, "The product is in review: withdraw it first")
        }
    }
}
