/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Transfers in order of arrival. A transfer is in at most one list. */
final class TransferList {
    private Transfer first;
    private Transfer last;
    private int size;

    Transfer first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    void add(Transfer transfer) {
        if (transfer.list != null) {
            transfer.list.remove(transfer);
        }
        transfer.list = this;
        transfer.previous = last;
        transfer.next = null;
        if (last == null) {
            first = transfer;
        } else {
            last.next = transfer;
        }
        last = transfer;
        size++;
    }

    void remove(Transfer transfer) {
        if (transfer.previous == null) {
            first = transfer.next;
        } else {
            transfer.previous.next = transfer.next;
        }
        if (transfer.next == null) {
            last = transfer.previous;
        } else {
            transfer.next.previous = transfer.previous;
        }
        transfer.list = null;
        transfer.next = null;
        transfer.previous = null;
        size--;
    }
}
