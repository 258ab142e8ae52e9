/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Copies between buffers of this side, one piece at a time. */
final class Copier {
    private final Completer completer;
    private final int pieceBytes;
    private final TransferList copies = new TransferList();

    Copier(Completer completer, int pieceBytes) {
        this.completer = completer;
        this.pieceBytes = pieceBytes;
    }

    void add(Transfer transfer) {
        transfer.phase = Transfer.Phase.COPYING;
        copies.add(transfer);
    }

    TransferList copies() {
        return copies;
    }

    /** Copies a piece, if any. Returns whether it did. */
    boolean copyPiece() {
        Transfer transfer = copies.first();
        if (transfer == null) {
            return false;
        }
        int piece = transfer.nextPiece(pieceBytes);
        transfer.target
                .bytes()
                .put(
                        (int) (transfer.remoteOffset + transfer.posted),
                        transfer.memory.bytes(),
                        (int) (transfer.localOffset + transfer.posted),
                        piece);
        transfer.piecePosted(piece);
        transfer.completed(piece, 0);
        if (transfer.isIdle()) {
            completer.succeed(transfer);
        }
        return true;
    }
}
