/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.CmPeer;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.EndpointOptions;
import io.verbs4j.tools.traffic.Pattern;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One side of a series of steps, each with its own endpoint; the sides agree on them over {@link Control}. */
final class Session {
    private static final int MOST_READS = 16;

    /** How long to wait for the error of a peer that has failed too. */
    private static final long WORDS_MILLIS = 500;

    private final Context context;
    private final Settings settings;
    private final Control control;
    private final CmPeer peer;
    private ByteBuffer memory;

    /** Creates a session; {@code peer} connects the endpoints unless it is null. */
    Session(Context context, Settings settings, Control control, CmPeer peer) {
        this.context = context;
        this.settings = settings;
        this.control = control;
        this.peer = peer;
    }

    /**
     * How long a client's step lasts.
     *
     * @param iterations operations to count; 0 if the time decides
     * @param nanos how long to count; 0 if the number decides
     * @param warmUpNanos shortest time to work before counting
     */
    record Limit(long iterations, long nanos, long warmUpNanos) {
        /** {@return the limit for a JVM that is already warm} */
        Limit warm() {
            return new Limit(iterations, nanos, 0);
        }
    }

    /** Exchanges the client's greeting. */
    void greet() {
        control.send(Control.HELLO);
        control.receive(Control.HELLO);
    }

    /** Reports to the server that there is no more to do. */
    void end() {
        control.send("end");
    }

    /** Runs a step as the client. */
    StepResult run(Step step, Limit limit, Progress progress) {
        try {
            return measure(step, limit, progress);
        } catch (RuntimeException e) {
            control.fail(e.getMessage());
            ToolException words = control.words(WORDS_MILLIS);
            if (words == null) {
                throw e;
            }
            words.addSuppressed(e);
            throw words; // the peer failed first: its error explains more than this side's
        }
    }

    private StepResult measure(Step step, Limit limit, Progress progress) {
        ByteBuffer buffer = buffer(step);
        try (Endpoint endpoint = endpoint(step, buffer)) {
            control.send("step " + step.toText() + " " + place(endpoint) + " mtu=" + mtu() + " reads=" + reads());
            Map<String, String> ready = control.receive("ready");
            if (peer != null) {
                peer.join(endpoint);
            } else {
                connect(endpoint, ready, (int) Control.number(ready, "mtu"), (int) Control.number(ready, "reads"));
            }
            Stopwatch stopwatch = settings.timestamps() ? Stopwatch.ofDevice(context) : Stopwatch.ofJvm();
            Side side = new Side(
                    true, step, endpoint, buffer, control, settings.path().timeoutNanos(), stopwatch);
            side.remote(ready);
            String label =
                    String.format(Locale.ROOT, "%s %d bytes", step.operation().label(), step.size());
            Meter meter = new Meter(step.size(), limit, progress, label);
            long sent = Test.of(side).client(meter);
            control.send("stop sent=" + sent);
            Map<String, String> stopped = control.receive("stopped");
            long lost = Math.max(0, sent - Control.number(stopped, "received"));
            return meter.result(step, sent, lost, side.bytesVerified() + Control.number(stopped, "verified"));
        }
    }

    /** Serves steps until the client ends. */
    void serve() {
        try {
            control.receive(Control.HELLO);
            control.send(Control.HELLO);
            for (String line = control.receive(); !line.equals("end"); line = control.receive()) {
                if (!line.startsWith("step ")) {
                    throw ToolException.failed("the client sent '" + line + "' where 'step' was expected");
                }
                serve(Control.pairs(line));
            }
        } catch (RuntimeException e) {
            control.fail(e.getMessage());
            throw e;
        }
    }

    private void serve(Map<String, String> asked) {
        Step step = Step.parse(asked);
        ByteBuffer buffer = buffer(step);
        try (Endpoint endpoint = endpoint(step, buffer)) {
            int mtu = (int) Math.min(mtu(), Control.number(asked, "mtu"));
            int reads = (int) Math.max(1, Math.min(reads(), Control.number(asked, "reads")));
            Side side = new Side(
                    false, step, endpoint, buffer, control, settings.path().timeoutNanos(), Stopwatch.ofJvm());
            side.remote(asked);
            Test test = Test.of(side);
            if (peer == null) {
                connect(endpoint, asked, mtu, reads);
            }
            test.prepareServer();
            control.send("ready " + place(endpoint) + " mtu=" + mtu + " reads=" + reads);
            if (peer != null) {
                peer.join(endpoint);
            }
            long received = test.server();
            control.send("stopped received=" + received + " verified=" + side.bytesVerified());
        }
    }

    private static void connect(Endpoint endpoint, Map<String, String> told, int mtu, int reads) {
        endpoint.connect(List.of(Address.parse(told.getOrDefault("address", ""))), mtu, reads);
    }

    /** {@return what the peer must know: the address of the queue pair, and the memory} */
    private static String place(Endpoint endpoint) {
        return String.format(
                Locale.ROOT,
                "address=%s memory=0x%x rkey=0x%x",
                endpoint.local().get(0).toText(),
                endpoint.memory().addr(),
                endpoint.memory().rkey());
    }

    private ByteBuffer buffer(Step step) {
        int length = step.bufferLength();
        if (memory == null || memory.capacity() < length) {
            memory = Pattern.allocate(length);
        }
        return memory.duplicate().order(memory.order()).limit(length);
    }

    private Endpoint endpoint(Step step, ByteBuffer buffer) {
        // Only sends consume receives.
        int receives = step.operation() == Operation.SEND ? Math.max(step.slots(), Layout.CREDITS) : 0;
        return Endpoint.create(
                context,
                buffer,
                new EndpointOptions(
                        step.service(),
                        settings.path().port(),
                        settings.path().gidIndex(),
                        mtu(),
                        settings.path().serviceLevel(),
                        1,
                        Math.max(step.depth(), Layout.CREDITS) + 1,
                        receives,
                        access(step),
                        reads(),
                        settings.path().events(),
                        settings.timestamps()));
    }

    private static int access(Step step) {
        int remote = switch (step.operation()) {
            case SEND -> 0;
            case WRITE -> AccessFlags.REMOTE_WRITE;
            case READ -> AccessFlags.REMOTE_READ;
            case ATOMIC -> AccessFlags.REMOTE_ATOMIC;
        };
        return AccessFlags.LOCAL_WRITE | remote;
    }

    private int mtu() {
        PortAttr port = context.queryPort(settings.path().port());
        int most = Mtu.toBytes(port.activeMtu());
        if (settings.mtu() > most) {
            throw ToolException.usage("-m " + settings.mtu() + ": the port's MTU is " + most);
        }
        return settings.mtu() == 0 ? Settings.usualMtu(settings.path(), most) : settings.mtu();
    }

    private int reads() {
        DeviceAttr device = context.queryDevice();
        return Math.max(1, Math.min(MOST_READS, Math.min(device.maxQpRdAtom(), device.maxQpInitRdAtom())));
    }
}
