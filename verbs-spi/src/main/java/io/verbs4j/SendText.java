/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/** Formats the fields of an operation, other than its data, for {@link SendWorkRequest#toString()}. */
final class SendText {
    private SendText() {}

    /** Returns whether an operation sends nothing of its own, so that it has no data. */
    static boolean isLocal(int opcode) {
        switch (opcode) {
            case WrOpcode.LOCAL_INV:
            case WrOpcode.BIND_MW:
            case WrOpcode.NOP:
            case WrOpcode.CQE_WAIT:
            case WrOpcode.SEND_ENABLE:
            case WrOpcode.RECV_ENABLE:
            case WrOpcode.FLUSH:
            case WrOpcode.ATOMIC_WRITE:
                return true;
            default:
                return false;
        }
    }

    static void details(StringBuilder text, SendWorkRequest wr) {
        switch (wr.opcode()) {
            case WrOpcode.SEND:
            case WrOpcode.SEND_WITH_IMM:
            case WrOpcode.NOP:
                break;
            case WrOpcode.LOCAL_INV:
            case WrOpcode.SEND_WITH_INV:
                text.append(", invalidates rkey ").append(hex(wr.invalidateRkey()));
                break;
            case WrOpcode.TSO:
                text.append(", in frames of ").append(wr.mss()).append(" bytes");
                break;
            case WrOpcode.BIND_MW:
                text.append(", rkey ").append(hex(wr.mwRkey()));
                bind(text, wr.mwBind());
                break;
            case WrOpcode.REG_MR:
                register(text, wr.fastRegister());
                break;
            case WrOpcode.CQE_WAIT:
                text.append(", for ").append(wr.waitCount()).append(" completions");
                break;
            case WrOpcode.SEND_ENABLE:
            case WrOpcode.RECV_ENABLE:
                text.append(", ").append(wr.waitCount() == 0 ? "all" : Integer.toString(wr.waitCount()));
                text.append(" of queue pair ")
                        .append(
                                wr.enableQp() == null
                                        ? "null"
                                        : Integer.toString(wr.enableQp().qpNum()));
                break;
            default:
                remote(text, wr);
        }
    }

    private static void remote(StringBuilder text, SendWorkRequest wr) {
        text.append(", remote 0x").append(Long.toHexString(wr.remoteAddr()));
        text.append(" (rkey ").append(hex(wr.rkey())).append(')');
        if (wr.opcode() == WrOpcode.FLUSH) {
            text.append(", ").append(FlushType.toString(wr.flushType())).append(" of ");
            text.append(FlushLevel.toString(wr.flushLevel())).append(' ').append(wr.flushLength());
        }
    }

    private static void bind(StringBuilder text, MwBind bind) {
        if (bind != null) {
            text.append(" for 0x").append(Long.toHexString(bind.addr()));
            text.append('+').append(bind.length());
            text.append(" (").append(AccessFlags.toString(bind.mwAccessFlags())).append(')');
        }
    }

    private static void register(StringBuilder text, FastRegister made) {
        if (made != null) {
            text.append(", key ").append(hex(made.key()));
            text.append(" for 0x").append(Long.toHexString(made.addr()));
            text.append(" (").append(AccessFlags.toString(made.access())).append(')');
        }
    }

    private static String hex(int key) {
        return "0x" + Integer.toHexString(key);
    }
}
