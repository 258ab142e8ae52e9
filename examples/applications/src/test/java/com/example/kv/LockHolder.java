/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

/** Locks a bucket, prints a mark, and holds the lock until it is killed. */
final class LockHolder {
    static final byte[] KEY = Workload.bytes("locked");

    private LockHolder() {}

    public static void main(String[] args) throws Exception {
        try (KvClient client = new KvClient("localhost", Integer.parseInt(args[0]))) {
            client.table().update(KEY, old -> {
                System.out.print('!');
                System.out.flush();
                while (true) {
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        return old;
                    }
                }
            });
        }
    }
}
