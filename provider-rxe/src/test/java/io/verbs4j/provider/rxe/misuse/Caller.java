/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Makes the calls of one thread and judges each result. */
final class Caller {
    /** The result was not as documented. */
    static final class Verdict extends AssertionError {
        private static final long serialVersionUID = 1L;

        Verdict(String message, Throwable cause) {
            super(message, cause);
        }
    }

    final SplittableRandom random;
    final Pool pool;
    final Values values;
    final CallLog log = new CallLog();
    final Tally tally = new Tally();

    /** When the current call began, or 0; for the watching thread. */
    volatile long callSince;

    /** Whether the current call may wait for other threads and needs an interrupt to end. */
    volatile boolean mayWait;

    Caller(SplittableRandom random, Pool pool, Values values) {
        this.random = random;
        this.pool = pool;
        this.values = values;
    }

    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /**
     * Calls a control verb.
     *
     * @param mustFail whether an argument is certainly invalid
     * @return what the verb returned, or null if it failed as documented
     */
    <T> T call(String verb, boolean mustFail, Supplier<T> body, Object... arguments) {
        log.begin(verb, arguments);
        T result;
        callSince = System.nanoTime();
        try {
            result = body.get();
        } catch (VerbsException e) {
            log.end(Errno.name(e.errno()));
            tally.count(verb, false);
            if (!Answers.allows(verb, e.errno())) {
                throw new Verdict(verb + " returned " + Errno.name(e.errno()) + ", which is not documented for it", e);
            }
            return null;
        } catch (Throwable t) {
            throw new Verdict(verb + " threw", t);
        } finally {
            callSince = 0;
            mayWait = false;
        }
        log.end(result);
        tally.count(verb, true);
        if (mustFail) {
            throw new Verdict(verb + " succeeded with an argument that is closed, fake or null", null);
        }
        return result;
    }

    /** Like {@link #call}, for a verb that returns nothing. Returns whether it succeeded. */
    boolean run(String verb, boolean mustFail, Runnable body, Object... arguments) {
        return call(
                        verb,
                        mustFail,
                        () -> {
                            body.run();
                            return Boolean.TRUE;
                        },
                        arguments)
                != null;
    }

    /** Calls a data verb. */
    int data(String verb, boolean mustFail, Supplier<Integer> body, Object... arguments) {
        log.begin(verb, arguments);
        int answer;
        callSince = System.nanoTime();
        try {
            answer = body.get();
        } catch (Throwable t) {
            throw new Verdict(verb + " threw", t);
        } finally {
            callSince = 0;
        }
        log.end(answer);
        boolean poll = verb.startsWith("poll_cq");
        int errno = poll ? Math.max(0, -answer) : answer;
        tally.count(verb, errno == 0);
        if (errno != 0 && !Answers.allows(verb, errno)) {
            throw new Verdict(verb + " returned " + Errno.name(errno) + ", which is not documented for it", null);
        }
        if (mustFail && errno == 0) {
            throw new Verdict(verb + " succeeded with a closed handle", null);
        }
        return answer;
    }

    /** Adds a new handle for all threads to use. */
    <T extends VerbsObject> void keep(Shelf<T> shelf, T handle) {
        if (handle != null) {
            shelf.add(handle, random);
        }
    }

    /** Closes a handle. A second close does nothing; only a handle that no verb made cannot be closed. */
    <T extends VerbsObject> void close(Shelf<T> shelf, T handle) {
        if (handle == null) {
            return;
        }
        String verb = shelf.closeVerb();
        if (shelf.isFake(handle)) {
            closeFake(verb, handle);
            return;
        }
        mayWait = true;
        if (run(verb, false, handle::close, handle)) {
            shelf.closed(handle);
        }
    }

    private void closeFake(String verb, VerbsObject handle) {
        log.begin(verb, handle);
        try {
            handle.close();
        } catch (VerbsException e) {
            log.end(Errno.name(e.errno()));
            if (e.errno() == Errno.EINVAL) {
                return;
            }
            throw new Verdict(verb + " of a fake handle did not fail with EINVAL", e);
        }
        throw new Verdict(verb + " closed a fake handle", null);
    }
}
