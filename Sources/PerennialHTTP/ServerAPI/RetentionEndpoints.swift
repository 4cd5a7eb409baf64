import AppStoreFormats
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// Retention messaging: images, messages, default messages, the real-time URL and its performance test.
struct RetentionEndpoints {
    let api: ServerAPIRoutes
    let realtime: any RealtimeEndpoint

    func add(to router: some RouterMethods<SellerContext>) {
        let messaging = router.group("inApps/v1/messaging")
        addImages(to: messaging)
        addMessages(to: messaging)
        addDefaults(to: messaging)
        addRealtime(to: messaging)
    }

    private func addImages(to router: some RouterMethods<SellerContext>) {
        router.put("image/:imageIdentifier") { request, context in
            try await api.answering(context, .uploadImage) { store, app in
                let id = try context.uuid("imageIdentifier")
                let size = try Self.size(request)
                try await store.retention.uploadImage(try await Self.image(request), id: id, size: size, for: app)
                return Response(status: .ok)
            }
        }
        router.delete("image/:imageIdentifier") { request, context in
            try await api.answering(context, .deleteImage) { store, app in
                try await store.retention.deleteImage(try context.uuid("imageIdentifier"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("image/list") { request, context in
            try await api.answering(context, .imageList) { store, app in
                try JSONResponse.make(
                    GetImageListResponse(imageIdentifiers: try await store.retention.images(of: app)))
            }
        }
    }

    private func addMessages(to router: some RouterMethods<SellerContext>) {
        router.put("message/:messageIdentifier") { request, context in
            try await api.answering(context, .uploadMessage) { store, app in
                let id = try context.uuid("messageIdentifier")
                let message = try UploadMessageRequest(parsing: try await request.serverAPIBody())
                try await store.retention.uploadMessage(message, id: id, for: app)
                return Response(status: .ok)
            }
        }
        router.delete("message/:messageIdentifier") { request, context in
            try await api.answering(context, .deleteMessage) { store, app in
                try await store.retention.deleteMessage(try context.uuid("messageIdentifier"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("message/list") { request, context in
            try await api.answering(context, .messageList) { store, app in
                try JSONResponse.make(
                    GetMessageListResponse(messageIdentifiers: try await store.retention.messages(of: app)))
            }
        }
    }

    private func addDefaults(to router: some RouterMethods<SellerContext>) {
        router.put("default/:productId/:locale") { request, context in
            try await api.answering(context, .setDefaultMessage) { store, app in
                let body = try DefaultConfiguration(parsing: try await request.serverAPIBody())
                try await store.retention.setDefaultMessage(
                    body.messageIdentifier, for: Product.ID(rawValue: context.name("productId")),
                    locale: context.name("locale"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("default/:productId/:locale") { request, context in
            try await api.answering(context, .defaultMessage) { store, app in
                let message = try await store.retention.defaultMessage(
                    for: Product.ID(rawValue: context.name("productId")), locale: context.name("locale"), of: app)
                return try JSONResponse.make(["messageIdentifier": message.name])
            }
        }
        router.delete("default/:productId/:locale") { request, context in
            try await api.answering(context, .deleteDefaultMessage) { store, app in
                try await store.retention.deleteDefaultMessage(
                    for: Product.ID(rawValue: context.name("productId")), locale: context.name("locale"), of: app)
                return Response(status: .ok)
            }
        }
    }

    private func addRealtime(to router: some RouterMethods<SellerContext>) {
        router.put("realtime/url") { request, context in
            try await api.answering(context, .setRealtimeURL) { store, app in
                try await store.retention.setRealtimeURL(
                    try RealtimeURL(parsing: try await request.serverAPIBody()), of: app)
                return Response(status: .ok)
            }
        }
        router.get("realtime/url") { request, context in
            try await api.answering(context, .realtimeURL) { store, app in
                try JSONResponse.make(try await store.retention.realtimeURL(of: app))
            }
        }
        router.delete("realtime/url") { request, context in
            try await api.answering(context, .deleteRealtimeURL) { store, app in
                try await store.retention.deleteRealtimeURL(of: app)
                return Response(status: .ok)
            }
        }
        router.post("performanceTest") { request, context in
            try await api.answering(context, .performanceTest) { store, app in
                let id = try PerformanceTestRequest(parsing: try await request.serverAPIBody()).originalTransactionId
                guard let id = TransactionID(id) else {
                    throw ServerAPIError(
                        .invalidTransactionID, "originalTransactionId", "a transaction is named by its number")
                }
                return try JSONResponse.make(
                    try await store.retention.runPerformanceTest(id, of: app, asking: realtime))
            }
        }
        router.get("performanceTest/result/:requestId") { request, context in
            try await api.answering(context, .performanceTestResult) { store, app in
                try JSONResponse.make(try await store.retention.performanceTest(context.name("requestId"), of: app))
            }
        }
    }

    private static func size(_ request: Request) throws -> RetentionImageSize {
        guard let text = request.uri.queryParameters["imageSize"] else { return .fullSize }
        guard let size = RetentionImageSize(rawValue: String(text)) else {
            throw ServerAPIError(.invalidImageSize, "imageSize", "imageSize is FULL_SIZE or BULLET_POINT")
        }
        return size
    }

    private static func image(_ request: Request) async throws -> [UInt8] {
        do {
            return Array(try await request.wholeBody(upTo: RetentionImage.maximumBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerAPIError(
                .invalidImage, nil, "an image has at most \(RetentionImage.maximumBytes) bytes")
        }
    }
}
