/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What queues have in common that Java and a device share: who posts to them, and how completions are read of them. */
package io.verbs4j.rdmacore.ring;
