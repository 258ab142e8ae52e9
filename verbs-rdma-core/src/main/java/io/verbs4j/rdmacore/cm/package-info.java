/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Connections by address, by librdmacm: what is handed out as {@link io.verbs4j.cm.spi.CmProvider}. Its ids have no queue pair, as far as librdmacm knows, so that
 * those of the program's own context connect, and no context of librdmacm's is ever used.
 */
package io.verbs4j.rdmacore.cm;
