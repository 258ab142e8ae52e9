/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.Context;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmRequest;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.OwnThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ids of the connection manager count as open objects of a context. */
class BusyContextTest {
    private static final long PATIENCE = 60;
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Context context = open();

    private static Context open() {
        return Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT);
    }

    private void isBusy(String with) {
        assertThat(refusal()).contains(with);
    }

    private void becomesBusy(String with) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!refusal().contains(with) && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        isBusy(with);
    }

    private String refusal() {
        VerbsException refusal = catchThrowableOfType(VerbsException.class, context::close);
        assertThat(refusal).as("exception from close").isNotNull();
        assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
        return refusal.getMessage();
    }

    private void isClosed() {
        context.close();
        assertThatThrownBy(context::queryDevice).isInstanceOf(VerbsException.class);
    }

    @Test
    void listenerKeepsItsContextOpen() {
        CmListener listener = CmListener.listen(context, ANY, 4);
        isBusy("still has 1 id of the connection manager (id TCP /127.");
        isBusy(":" + listener.address().getPort());
        assertThat(CmListener.listen(context, ANY, 4)).satisfies(CmListener::close); // it is still open
        listener.close();
        isClosed();
    }

    @Test
    void idsKeepTheirContextOpen() {
        try (EventChannel channel = EventChannel.create()) {
            CmId bound = channel.createId(context, PortSpace.UDP);
            CmId fresh = channel.createId(context, PortSpace.TCP);
            isBusy("still has 2 ids of the connection manager (id UDP null to null, id TCP null to null)");
            bound.close();
            bound.close();
            isBusy("still has 1 id");
            try (Context other = open()) {
                assertThat(other.device()).isSameAs(context.device()); // it has no ids
            }
            fresh.migrate(EventChannel.create());
            isBusy("still has 1 id");
            fresh.channel().close();
            isClosed();
            assertThatThrownBy(() -> channel.createId(context, PortSpace.TCP))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    @Test
    void requestsAndConnectionsKeepTheirContextOpen() throws Exception {
        CmListener listener = CmListener.listen(context, ANY, 4);
        Party client = new Party(open());
        CompletableFuture<CmConnection> coming = OwnThreads.supply(
                () -> CmConnection.connect(client.pd, listener.address(), client.attr(), PATIENCE, TimeUnit.SECONDS));
        CmRequest request = listener.take(PATIENCE, TimeUnit.SECONDS);
        listener.close();
        isBusy("still has 1 id");
        request.reject();
        isClosed();
        assertThatThrownBy(() -> coming.get(PATIENCE, TimeUnit.SECONDS)).hasCauseInstanceOf(VerbsException.class);
        client.close(); // nothing is left of the rejected attempt
    }

    @Test
    void untakenRequestsGoWithTheirListener() throws Exception {
        try (EventChannel channel = EventChannel.create()) {
            CmListener listener = CmListener.listen(context, ANY, 4);
            CmId id = channel.createId(context, PortSpace.TCP);
            id.resolveAddress(null, listener.address(), PATIENCE, TimeUnit.SECONDS);
            assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(PATIENCE, TimeUnit.SECONDS);
            assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
            id.connect(io.verbs4j.cm.ConnParam.DEFAULT.withQpNum(77));
            becomesBusy("still has 3 ids"); // another thread handles the request
            listener.close();
            isBusy("still has 1 id");
            id.close();
            isClosed();
        }
    }
}
