import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Store {
    /// How many images an app may have (Upload Image).
    package static let maximumRetentionImages: Int64 = 2000

    /// What is uploaded to Sandbox may be shown at once; in Production somebody looks at it first.
    var stateOfUploads: RetentionState { environment.kind == .sandbox ? .approved : .pending }

    /// Takes an image that retention messages can show.
    ///
    /// - Throws: ``ServerAPIError`` 4000161 (no PNG of the right size without transparency), 4030014, 4090000.
    package func uploadImage(
        _ content: [UInt8], id: UUID, size: RetentionImageSize, for app: App
    ) async throws {
        try RetentionImage(png: content).check(as: size)
        try await database.write { [self] connection in
            let key = key(of: app)
            guard try RetentionImagesTable.count(key, on: connection) < Self.maximumRetentionImages else {
                throw ServerAPIError(
                    .maximumImages, nil, "an app has at most \(Self.maximumRetentionImages) images")
            }
            let record = RetentionImagesTable.Record(
                id: id.name, size: size.rawValue, state: stateOfUploads.rawValue)
            guard
                try RetentionImagesTable.insert(
                    record, content: content, at: try clock.now(on: connection), key, on: connection)
            else { throw ServerAPIError(.imageAlreadyExists, "imageIdentifier", "there is one of that name") }
        }
    }

    /// - Throws: ``ServerAPIError`` 4040014, 4030019 where a message shows it.
    package func deleteImage(_ id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            let key = key(of: app)
            guard try !RetentionMessagesTable.isInUse(image: id.name, key, on: connection) else {
                throw ServerAPIError(.imageInUse, "imageIdentifier", "a message shows it: delete that first")
            }
            guard try RetentionImagesTable.delete(id.name, key, on: connection) else { throw Self.noImage(id) }
        }
    }

    package func retentionImages(of app: App) async throws -> [GetImageListResponse.Item] {
        let records = try await database.read { [self] connection in
            try RetentionImagesTable.all(key(of: app), limit: Int(Self.maximumRetentionImages), on: connection)
        }
        return records.map { record in
            GetImageListResponse.Item(
                imageIdentifier: record.id, imageState: RetentionState(rawValue: record.state) ?? .pending,
                imageSize: RetentionImageSize(rawValue: record.size) ?? .fullSize)
        }
    }

    /// The verdict of whoever looks at images.
    ///
    /// - Throws: ``ServerAPIError`` 4040014.
    package func setState(_ state: RetentionState, ofImage id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            guard try RetentionImagesTable.setState(state.rawValue, of: id.name, key(of: app), on: connection) else {
                throw Self.noImage(id)
            }
        }
    }

    static func noImage(_ id: UUID) -> ServerAPIError {
        ServerAPIError(.imageNotFound, "imageIdentifier", "there is no image \(id.name)")
    }
}

extension UUID {
    /// As it is kept and written: clients write it in either case.
    package var name: String { uuidString.lowercased() }
}
