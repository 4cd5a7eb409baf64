/// The words that the project doesn't use, and the few places that need one.
enum PlainWords {
    /// Pronouns that hide the subject of a sentence, and metaphors with a standard term.
    static let words = [
        "whoever", "whomever", "whosoever", "nobody", "somebody", "anybody", "ladder", "patience", "middleman",
        "mishap", "sabotage", "deed", "deeds", "trouble", "troubles", "story", "stories", "standing", "standings",
        "fickle", "lonely", "peeled",
    ]

    /// Words that no identifier is made of, each with the standard word: `DeedPhrases`, `beforeDeed`, `deeds`.
    static let parts = [
        "deed": "action", "trouble": "faults", "story": "lifecycle, details or history", "stories": "lifecycles",
        "standing": "state or snapshot", "fickle": "changesOften", "mishap": "fault", "sabotage": "mutation",
        "ladder": "retrySchedule", "patience": "a timeout",
    ]

    /// Identifiers with a standard name, by the old name.
    static let identifiers = [
        "isThere": "exists", "Witness": "SeenNotification", "workOffDue": "processDueRenewals",
        "workOffMassExtensions": "processMassExtensions",
        "workOffPriceChanges": "applyPriceChanges", "PriceFollowing": "PriceMigration",
        "DecidedRenewals": "RenewalBatch", "DueBatch": "DueRange", "LockedRenewals": "LockedRenewalBatch",
        "endlessWork": "stepLimitExceeded",
        "overlapsRenewals": "pipelinesRenewals", "turnPause": "leasePollInterval",
        "KeyClaim": "IdempotencyReservation", "claimedBefore": "previousOutcome", "NumberSource": "IDAllocator",
        "NumberPermutation": "ReversibleID", "StoreNumber": "AppleID", "ShortCode": "PackedCode", "Aside": "Boxed",
        "SoldPeriod": "BillingPeriod", "Withdrawal": "Revocation", "SharedSource": "FamilySharingSource",
        "givingWay": "superseded(by:)", "noteGap": "updateRecentStartDate", "DocumentWriter": "RecordEncoder",
        "DocumentValue": "RecordCodable", "documentForm": "formatVersion", "documentUnit": "paddingAlignment",
        "writeTwofold": "reserveDouble", "ReadingNumber": "SnapshotID",
        "renewReadingNumber": "invalidateSnapshot", "lookedIn": "checkedSnapshot", "orDoom": "markFailedOnError",
        "refuseFurtherWork": "stopAccepting", "carryOver": "checkpoint", "logPagesDue": "checkpointThreshold",
        "RowsInsert": "BatchInsert", "NewRow": "PendingRow", "ThrowawayPostgreSQL": "EphemeralPostgreSQL",
        "advanceUnknownHead": "incrementSequence", "hasten": "reschedule", "DueMark": "PageCursor",
        "NotificationTrouble": "FaultInjection", "heldBack": "delay", "sendsAgain": "replaysStale",
        "DeliveryPatience": "TimeoutBreaker", "DeliveryGate": "AsyncMutex", "DeliveryClaim": "Lease",
        "DeliveryProgress": "DeliveryStateMachine", "NotificationClock": "a scheduler", "RenewalClock": "a scheduler",
        "ReminderClock": "a scheduler", "NotificationMaker": "NotificationFactory",
        "VerificationMemory": "a cache", "SignedTransactionMemory": "a cache", "BoundedMemory": "TwoGenerationCache",
        "ServerAPIGate": "APIKeyAuthenticator", "KeySignedToken": "SignedJWT", "AccountSeal": "ReceiptOwnerCipher",
        "SealedFile": "AuthenticatedFile", "Payer": "BillingAccount", "isTakenBack": "isRevoked",
        "otherSide": "wrongEnvironment", "VerificationCourse": "VerificationStateMachine",
        "Pacing": "RetryDependencies",
        "Surroundings": "DeviceDependencies", "LooseScalar": "LenientScalar", "LooseList": "LossyArray",
        "ScannedPayload": "FastPathDecodable", "CertificateRegister": "RevocationList",
        "CertificateMarker": "CertificateOIDs", "DateTriplet": "VerifyReceiptDate", "CalendarText": "DateFormatting",
        "ContentFacts": "FileMetadata", "Wiring": "CompositionRoot",
        "WriteBarrier": "WriteBackpressure", "DataHome": "DataDirectory", "Announcement": "StartupInfo",
        "AppDraft": "AppBuilder",
        "Sighting": "Observation", "KnownRows": "RowCache",
    ]

    /// The lines that may use a word, by a part of the path and a part of the line.
    static let allowed: [(path: String, part: String)] = [
        // PostgreSQL's own user.
        ("", "=nobody"), ("", "\"nobody\""),
        // Names of accounts and tokens.
        ("Tests/", "/nobody\""), ("Tests/", "nobody's\"])"),
        // Earlier formats keep their names.
        ("Sources/PerennialStorage/Migrations/", "Withdrawal"),
        // Tables and columns of released migrations.
        ("Sources/PerennialStorage/", "subscription_standing"), ("Sources/PerennialStorage/", "SELECT standing"),
        ("Sources/PerennialStorage/", "subscription_stories"), ("Sources/PerennialStorage/", "t.standing"),
        ("Sources/PerennialStorage/RollUps/", "GROUP BY standing"),
        ("Sources/PerennialStorage/RollUps/", "day, standing)"),
        ("Sources/PerennialStorage/Notifications/", "timeout, trouble"),
        ("Sources/PerennialStorage/Notifications/", "trouble = excluded"),
        ("Sources/PerennialStorage/Console/", "actor, deed, path"), ("Sources/PerennialStorage/Migrations/", ""),
        ("Tests/PerennialStorageTests/Migrations/", ""),
        ("Tests/PerennialStoreTests/Statistics/", "subscription_stories"),
        ("Tests/PerennialStoreTests/Statistics/", "subscription_standing"),
        ("Tests/PerennialStoreTests/Environments/", "subscription_standing_weeks"),
        // The old and the new names of earlier versions.
        ("CHANGELOG.md", "trouble`"),
        // The pages that list them.
        ("Tests/RepositoryTests/SourceMeasures.swift", ""),
        ("docs/decisions/0013-newcomer-measures.md", ""),
    ]
}
