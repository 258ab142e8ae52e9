/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.testsupport.program.ForeignArena;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Registers buffers of arenas, closes the arenas at the wrong moment and at the right one, and prints what is answered.
 */
final class ArenasProgram {
    private ArenasProgram() {}

    /** Not a mock, for which this JVM lacks the agent. */
    private record Domains(Context context) implements ContextOps {
        @Override
        public ProtectionDomain allocPd() {
            return new Fakes.FakePd(context);
        }

        @Override
        public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
            return new Fakes.FakeMr(pd, 0x1000, buffer.remaining(), access);
        }

        @Override
        public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {}

        @Override
        public void deregMr(MemoryRegion mr) {}
    }

    public static void main(String[] args) throws Exception {
        Fakes.FakeDevice device = new Fakes.FakeDevice("fake0");
        Fakes.FakeProvider provider = new Fakes.FakeProvider("fake", device);
        provider.opener = (d, context) -> new Domains(context);
        ProtectionDomain pd = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty)
                .open(device, 1)
                .allocPd();

        tell("direct", register(pd, ByteBuffer.allocateDirect(8)));
        for (ForeignArena.Kind kind : ForeignArena.Kind.values()) {
            ForeignArena arena = new ForeignArena(kind);
            ByteBuffer buffer = arena.allocate(64);
            VerbsException refused = register(pd, buffer.slice(8, 8).asReadOnlyBuffer());
            tell(kind + ", read-only slice", refused);
            if (refused != null) {
                arena.close();
                continue;
            }
            MemoryRegion first = pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
            MemoryRegion second = pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
            answer(kind, "with two regions", arena);
            first.close();
            answer(kind, "with one", arena);
            second.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0);
            answer(kind, "with one that has other memory", arena);
            tell(kind + ", closed", register(pd, buffer));
            second.close();
        }
        ByteBuffer[] foreign = new ByteBuffer[1];
        ForeignArena confined = new ForeignArena(ForeignArena.Kind.CONFINED);
        foreign[0] = confined.allocate(8);
        Thread other = new Thread(() -> tell("confined to another thread", register(pd, foreign[0])));
        other.start();
        other.join();
        tell("confined, close", confined.close());
    }

    private static VerbsException register(ProtectionDomain pd, ByteBuffer buffer) {
        try {
            pd.regMr(buffer, 0).close();
            return null;
        } catch (VerbsException e) {
            return e;
        }
    }

    private static void answer(ForeignArena.Kind kind, String when, ForeignArena arena) throws Exception {
        tell(kind + ", close " + when, arena.close());
    }

    private static void tell(String what, RuntimeException answer) {
        String text = answer == null ? "done" : answer instanceof VerbsException ? answer.getMessage() : "" + answer;
        System.out.println(what + ": " + text);
    }
}
