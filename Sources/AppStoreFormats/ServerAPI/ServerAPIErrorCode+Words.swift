extension ServerAPIErrorCode {
    /// Name and message.
    var words: (name: String, message: String) {
        switch self {
        case .generalBadRequest: ("GeneralBadRequest", "Bad request.")
        case .invalidAppIdentifier: ("InvalidAppIdentifier", "Invalid request app identifier.")
        case .invalidRequestRevision: ("InvalidRequestRevision", "Invalid request revision.")
        case .invalidTransactionID: ("InvalidTransactionId", "Invalid transaction id.")
        case .invalidOriginalTransactionID: ("InvalidOriginalTransactionId", "Invalid original transaction id.")
        case .invalidExtendByDays: ("InvalidExtendByDays", "Invalid extend by days value.")
        case .invalidExtendReasonCode: ("InvalidExtendReasonCode", "Invalid extend reason code.")
        case .invalidRequestIdentifier: ("InvalidRequestIdentifier", "Invalid request identifier.")
        case .startDateTooFarInPast:
            ("StartDateTooFarInPast", "The start date is earlier than the earliest allowed date.")
        case .startDateAfterEndDate:
            ("StartDateAfterEndDate", "The end date precedes the start date, or the two are the same.")
        case .invalidPaginationToken: ("InvalidPaginationToken", "Invalid pagination token.")
        case .invalidStartDate: ("InvalidStartDate", "Invalid start date.")
        case .invalidEndDate: ("InvalidEndDate", "Invalid end date.")
        case .paginationTokenExpired: ("PaginationTokenExpired", "The pagination token has expired.")
        case .invalidNotificationType: ("InvalidNotificationType", "Invalid notification type or subtype.")
        case .multipleFiltersSupplied:
            ("MultipleFiltersSupplied", "Only one of transaction id and notification type may be supplied.")
        case .invalidTestNotificationToken: ("InvalidTestNotificationToken", "Invalid test notification token.")
        case .invalidSort: ("InvalidSort", "Invalid sort parameter.")
        case .invalidProductType: ("InvalidProductType", "Invalid product type parameter.")
        case .invalidProductID: ("InvalidProductId", "Invalid product id parameter.")
        case .invalidSubscriptionGroupIdentifier:
            ("InvalidSubscriptionGroupIdentifier", "Invalid subscription group identifier parameter.")
        case .invalidExcludeRevoked: ("InvalidExcludeRevoked", "Invalid exclude revoked parameter.")
        case .invalidInAppOwnershipType: ("InvalidInAppOwnershipType", "Invalid in-app ownership type parameter.")
        case .invalidEmptyStorefrontCountryCodeList:
            ("InvalidEmptyStorefrontCountryCodeList", "The storefront country code list is empty.")
        case .invalidStorefrontCountryCode: ("InvalidStorefrontCountryCode", "Invalid storefront country code.")
        case .invalidRevoked: ("InvalidRevoked", "Invalid revoked parameter.")
        case .invalidStatus: ("InvalidStatus", "Invalid status parameter.")
        case .invalidAccountTenure: ("InvalidAccountTenure", "Invalid account tenure field.")
        case .invalidAppAccountToken: ("InvalidAppAccountToken", "Invalid app account token field.")
        case .invalidConsumptionStatus: ("InvalidConsumptionStatus", "Invalid consumption status field.")
        case .invalidCustomerConsented:
            ("InvalidCustomerConsented", "Invalid customer consented field: the customer's consent is required.")
        case .invalidDeliveryStatus: ("InvalidDeliveryStatus", "Invalid delivery status field.")
        case .invalidLifetimeDollarsPurchased:
            ("InvalidLifetimeDollarsPurchased", "Invalid lifetime dollars purchased field.")
        case .invalidLifetimeDollarsRefunded:
            ("InvalidLifetimeDollarsRefunded", "Invalid lifetime dollars refunded field.")
        case .invalidPlatform: ("InvalidPlatform", "Invalid platform field.")
        case .invalidPlayTime: ("InvalidPlayTime", "Invalid play time field.")
        case .invalidSampleContentProvided: ("InvalidSampleContentProvided", "Invalid sample content provided field.")
        case .invalidUserStatus: ("InvalidUserStatus", "Invalid user status field.")
        case .invalidTransactionNotConsumable:
            ("InvalidTransactionNotConsumable", "The transaction is not of a consumable.")
        case .invalidRefundPreference: ("InvalidRefundPreference", "Invalid refund preference field.")
        case .invalidTransactionTypeNotSupported:
            ("InvalidTransactionTypeNotSupported", "The type of the transaction is not supported.")
        case .appTransactionIDNotSupported:
            ("AppTransactionIdNotSupported", "An app transaction id is not supported here.")
        case .invalidImage: ("InvalidImage", "Invalid image.")
        case .headerTooLong: ("HeaderTooLong", "The header is too long.")
        case .bodyTooLong: ("BodyTooLong", "The body is too long.")
        case .invalidLocale: ("InvalidLocale", "Invalid locale.")
        case .altTextTooLong: ("AltTextTooLong", "The alternative text is too long.")
        case .invalidAppAccountTokenUUID: ("InvalidAppAccountTokenUUID", "The app account token is not a valid UUID.")
        case .familyTransactionNotSupported:
            ("FamilyTransactionNotSupported", "Transactions of Family Sharing are not supported.")
        case .transactionIDIsNotOriginalTransactionID:
            ("TransactionIdIsNotOriginalTransactionId", "The transaction id is not an original transaction id.")
        case .invalidPerformanceTestRequest: ("InvalidPerformanceTestRequest", "Invalid performance test request.")
        case .invalidPerformanceTestRequestID:
            ("InvalidPerformanceTestRequestId", "Invalid performance test request id.")
        case .performanceTestRunning: ("PerformanceTestRunning", "A performance test is running already.")
        case .invalidRealtimeURL: ("InvalidRealtimeURL", "Invalid realtime URL.")
        case .invalidImageSize: ("InvalidImageSize", "Invalid image size.")
        case .tooManyBulletPoints: ("TooManyBulletPoints", "There are too many bullet points.")
        case .bulletPointTextTooLong: ("BulletPointTextTooLong", "The text of a bullet point is too long.")
        case .headerAboveImageWithoutImage: ("HeaderAboveImageWithoutImage", "A header above the image needs an image.")
        case .subscriptionExtensionIneligible:
            (
                "SubscriptionExtensionIneligible",
                "The subscription is not eligible for an extension of its renewal date."
            )
        case .subscriptionMaxExtension:
            ("SubscriptionMaxExtension", "The subscription has had the maximum number of extensions.")
        case .familySharedSubscriptionExtensionIneligible:
            (
                "FamilySharedSubscriptionExtensionIneligible",
                "Subscriptions of Family Sharing are not eligible for an extension."
            )
        case .maximumImages: ("MaximumNumberOfImagesReached", "The maximum number of images is reached.")
        case .maximumMessages: ("MaximumNumberOfMessagesReached", "The maximum number of messages is reached.")
        case .messageNotApproved: ("MessageNotApproved", "The message is not approved.")
        case .imageNotApproved: ("ImageNotApproved", "The image is not approved.")
        case .imageInUse: ("ImageInUse", "The image is in use.")
        case .noPassingPerformanceTest: ("NoPassingPerformanceTest", "No performance test was passed.")
        case .accountNotFound: ("AccountNotFound", "Account not found.")
        case .accountNotFoundRetryable: ("AccountNotFoundRetryable", "Account not found. Please try again.")
        case .appNotFound: ("AppNotFound", "App not found.")
        case .appNotFoundRetryable: ("AppNotFoundRetryable", "App not found. Please try again.")
        case .originalTransactionIDNotFound: ("OriginalTransactionIdNotFound", "Original transaction id not found.")
        case .originalTransactionIDNotFoundRetryable:
            ("OriginalTransactionIdNotFoundRetryable", "Original transaction id not found. Please try again.")
        case .serverNotificationURLNotFound:
            ("ServerNotificationURLNotFound", "No server notification URL is set for the app and environment.")
        case .testNotificationNotFound: ("TestNotificationNotFound", "Test notification not found, or expired.")
        case .statusRequestNotFound: ("StatusRequestNotFound", "No request matches the product and request identifier.")
        case .transactionIDNotFound: ("TransactionIdNotFound", "Transaction id not found.")
        case .imageNotFound: ("ImageNotFound", "Image not found.")
        case .messageNotFound: ("MessageNotFound", "Message not found.")
        case .performanceTestNotFound: ("PerformanceTestNotFound", "Performance test not found.")
        case .appTransactionDoesNotExist: ("AppTransactionDoesNotExist", "No app transaction exists for the customer.")
        case .defaultMessageNotFound: ("DefaultMessageNotFound", "Default message not found.")
        case .realtimeURLNotFound: ("RealtimeURLNotFound", "Realtime URL not found.")
        case .imageAlreadyExists: ("ImageAlreadyExists", "An image with that identifier exists.")
        case .messageAlreadyExists: ("MessageAlreadyExists", "A message with that identifier exists.")
        case .rateLimitExceeded: ("RateLimitExceeded", "Rate limit exceeded.")
        case .generalInternal: ("GeneralInternal", "An unknown error occurred.")
        case .generalInternalRetryable: ("GeneralInternalRetryable", "An unknown error occurred. Please try again.")
        default: advancedWords
        }
    }
}
