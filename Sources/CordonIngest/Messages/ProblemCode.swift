extension Problem {
  /// The word by which programs recognise a problem. Its raw value is the member `code` of the answer.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // MARK: Requests that cannot be read

    case noHTTP = "no-http"
    case badPath = "bad-path"
    case noSuchAddress = "no-such-address"
    case methodNotAllowed = "method-not-allowed"
    case cutShort = "cut-short"
    case bodyTooLarge = "body-too-large"
    case unknownEncoding = "unknown-encoding"
    case badGzip = "bad-gzip"
    case badText = "bad-text"
    case badJSON = "bad-json"
    case badField = "bad-field"
    case unknownField = "unknown-field"
    case badParameter = "bad-parameter"
    case inAddress = "in-address"

    // MARK: Batches

    case badRow = "bad-row"
    case badTime = "bad-time"
    case malformed
    case badKey = "bad-key"
    case keyReused = "key-reused"
    case tooManyRows = "too-many-rows"
    case quota
    case clockDoubtful = "clock-doubtful"
    case venueNotServed = "venue-not-served"

    // MARK: Tokens and other credentials

    case tokenMissing = "token-missing"
    case tokenMalformed = "token-malformed"
    case tokenHeader = "token-header"
    case tokenSignature = "token-signature"
    case tokenExpired = "token-expired"
    case tokenEarly = "token-early"
    case tokenUnknown = "token-unknown"
    case tokenRevoked = "token-revoked"
    case tokenScope = "token-scope"
    case badCredentials = "bad-credentials"
    case badSecret = "bad-secret"
    case notProved = "not-proved"
    case role
    case tooManyFailures = "too-many-failures"
    case csrf
    case signInAgain = "sign-in-again"
    case weakPassword = "weak-password"
    case noSuchOperator = "no-such-operator"
    case operatorExists = "operator-exists"

    // MARK: Devices, codes and venues

    case badDevice = "bad-device"
    case foreignDevice = "foreign-device"
    case noSuchDevice = "no-such-device"
    case alreadyActive = "already-active"
    case erased
    case badCode = "bad-code"
    case noCode = "no-code"
    case noSuchCode = "no-such-code"
    case tooManyCodes = "too-many-codes"
    case noSuchCase = "no-such-case"
    case tooManyCases = "too-many-cases"
    case noSuchNotice = "no-such-notice"
    case formerHolder = "former-holder"
    case noSuchRule = "no-such-rule"
    case tooManyRules = "too-many-rules"
    case foreignVenue = "foreign-venue"
    case noSuchVenue = "no-such-venue"
    case noPacked = "no-packed"
    case noBundle = "no-bundle"

    // MARK: Studies

    case noSuchStudy = "no-such-study"
    case studyClosed = "study-closed"
    case studyFull = "study-full"
    case badInvitation = "bad-invitation"
    case consentOutdated = "consent-outdated"
    case noSuchParticipant = "no-such-participant"
    case hasLeft = "has-left"
    case studyConflict = "study-conflict"
    case ledgerBroken = "ledger-broken"

    // MARK: Queries

    case noReason = "no-reason"
    case tooMuch = "too-much"
    case queryTime = "query-time"
    case tooManyQuestions = "too-many-questions"
    case tooManyWatchers = "too-many-watchers"

    // MARK: Forms

    case noSuchForm = "no-such-form"
    case noSuchRecord = "no-such-record"
    case badForm = "bad-form"
    case formExists = "form-exists"
    case losesAnswers = "loses-answers"
    case tooManyForms = "too-many-forms"

    // MARK: The state of the server

    case busy
    case notReady = "not-ready"
    case erasureOpen = "erasure-open"
    case storeFull = "store-full"
    case storeBusy = "store-busy"
    case storeCorrupt = "store-corrupt"
    case storeNewerVersion = "store-newer-version"
    case storeInterrupted = "store-interrupted"
    case storeUnavailable = "store-unavailable"
    case storeFailed = "store-failed"

    /// The code of a fault of the store.
    package init(_ kind: StoreFault.Kind) {
      self =
        switch kind {
        case .full: .storeFull
        case .busy: .storeBusy
        case .corrupt: .storeCorrupt
        case .newerVersion: .storeNewerVersion
        case .interrupted: .storeInterrupted
        case .unavailable: .storeUnavailable
        case .failed: .storeFailed
        }
    }

    /// The code of a fault of a token.
    init(_ fault: TokenFault) {
      self =
        switch fault {
        case .malformed: .tokenMalformed
        case .header: .tokenHeader
        case .signature: .tokenSignature
        case .expired: .tokenExpired
        case .early: .tokenEarly
        }
    }

    /// Whether a bearer token is missing or was refused. A 401 of any other code asks for Basic credentials.
    var concernsToken: Bool {
      switch self {
      case .tokenMissing, .tokenMalformed, .tokenHeader, .tokenSignature, .tokenExpired, .tokenEarly, .tokenUnknown,
        .tokenRevoked, .tokenScope:
        true
      default: false
      }
    }
  }
}
