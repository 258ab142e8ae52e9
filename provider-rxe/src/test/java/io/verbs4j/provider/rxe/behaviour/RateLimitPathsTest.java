/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.Mtu;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Queue pairs with a rate limit. {@code RateLimitTest} shows without threads that the rate is reached and not exceeded.
 */
@WithOneCopy
class RateLimitPathsTest extends EachPath {
    private static final int KBPS = 40_000; // 5 MB/s

    private SendWorkRequest message(int type, int i, int size, AddressHandle ah) {
        if (type == QpType.UD) {
            return Side.wr(WrOpcode.SEND, i, a.sge(0, size))
                    .ah(ah)
                    .remoteQpn(b.qp.qpNum())
                    .remoteQkey(Side.QKEY);
        }
        return a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, size)), b, 0);
    }

    @ParameterizedTest
    @CsvSource({"2,40,50000", "3,40,50000", "4,2000,1000"})
    void rateLimitDelaysCompletions(int type, int messages, int size) {
        start(side -> {
            side.qpType = type;
            side.timeout = 12; // shorter than sending takes
        });
        AddressHandle ah = type == QpType.UD ? a.opened(a.pd.createAh(a.path(b.gid()))) : null;
        a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(KBPS));
        long before = System.nanoTime();
        int posted = 0;
        for (int done = 0; done < messages; done++) {
            while (posted < messages && posted - done < 32) {
                a.post(message(type, posted, size, ah));
                posted++;
            }
            a.next(done, WcStatus.SUCCESS);
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        // The last message of UD, or of a local queue pair, completes before it is paid for.
        double expected = (double) (messages - 1) * size * 8 / (KBPS * 1000.0) - 0.01; // saved by a burst
        System.out.printf("%s: %.3f s for %.3f s%n", getClass().getSimpleName(), seconds, expected);
        assertThat(seconds).isBetween(expected * 0.95, expected * 10 + 1);
    }

    @Test
    void liftedLimitReleasesWaitingSends() {
        start(side -> side.mtu = Mtu.MTU_4096);
        a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(1).maxBurstSz(4000).typicalPktSz(4000));
        for (int i = 0; i < 3; i++) {
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, 4000)), b, 0)); // 32 s each
        }
        a.next(0, WcStatus.SUCCESS);
        assertThat(a.rest(50)).isEmpty();
        a.qp.modifyRateLimit(new QpRateLimitAttr());
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
    }

    /** The packets of a slow RC message are acknowledged all along, so no timeout occurs. */
    @Test
    void slowMessageCausesNoTimeouts() {
        start(side -> side.timeout = 14); // 67 ms
        TransportCounters counters = DevicePorts.of(a.context.device()).transportCounters();
        long before = counters.get(TransportCounters.TIMEOUT);
        a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(250));
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 30 * 1024)), b, 0)); // a second
        a.next(1, WcStatus.SUCCESS);
        // Not zero: a busy machine may delay an acknowledgement.
        assertThat(counters.get(TransportCounters.TIMEOUT) - before).isLessThan(4);
        b.assertPattern(0, 1, 0, 30 * 1024);
    }

    @Test
    void readsAreNotLimited() {
        start();
        a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(1));
        for (int i = 0; i < 20; i++) {
            a.post(a.to(Side.wr(WrOpcode.RDMA_READ, i, a.sge(0, 100_000)), b, 0));
            a.next(i, WcStatus.SUCCESS);
        }
    }

    @Test
    void invalidLimitsAreRefused() {
        start();
        assertThat(errno(new QpRateLimitAttr().rateLimit(100_000_001))).isEqualTo(Errno.EINVAL);
        assertThat(errno(new QpRateLimitAttr().maxBurstSz(1))).isEqualTo(Errno.EINVAL);
        QpRateLimitAttr unknown = new QpRateLimitAttr().rateLimit(1);
        unknown.masks(1L << 20, 0);
        assertThat(errno(unknown)).isEqualTo(Errno.EOPNOTSUPP);
        a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(100_000_000));
        a.close();
        assertThat(errno(new QpRateLimitAttr())).isEqualTo(Errno.EINVAL);
        a = null;
    }

    private int errno(QpRateLimitAttr attr) {
        VerbsException e = catchThrowableOfType(VerbsException.class, () -> a.qp.modifyRateLimit(attr));
        return e == null ? 0 : e.errno();
    }
}
