import Foundation
import Testing

@testable import CordonConsole

/// Subscriptions to signals of the process.
@Suite("Signals", .serialized)
struct SignalPipeTests {
  /// Returns the first signal of a subscription; 0 when its stream ends.
  private func next(_ pipe: SignalPipe) async -> Int32 {
    for await number in pipe.numbers { return number }
    return 0
  }

  @Test func everySubscriptionReceivesASignal() async throws {
    let (one, two) = (try SignalPipe([SIGUSR1]), try SignalPipe([SIGUSR1, SIGUSR2]))
    kill(getpid(), SIGUSR1)
    #expect(await next(one) == SIGUSR1)
    #expect(await next(two) == SIGUSR1)
    one.close()
    // The signal of a closed subscription still reaches the other.
    kill(getpid(), SIGUSR1)
    #expect(await next(two) == SIGUSR1)
    #expect(await next(one) == 0)
    two.close()
  }

  @Test func theLastSubscriptionRestoresTheDefault() throws {
    let pipe = try SignalPipe([SIGUSR2])
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    #expect(action.__sigaction_handler.sa_handler != nil)
    pipe.close()
    sigaction(SIGUSR2, nil, &action)
    #expect(action.__sigaction_handler.sa_handler == nil)
  }

  @Test func withoutAPipeSignalsKeepTheirEffect() throws {
    let hub = SignalHub { _ in
      errno = EMFILE
      return -1
    }
    let error = #expect(throws: SignalPipe.Unavailable.self) { _ = try SignalPipe([SIGUSR2], in: hub, receive: nil) }
    #expect(error?.description.contains("Too many open files") == true)
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    #expect(action.__sigaction_handler.sa_handler == nil)
  }
}
