/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Devices that rdma-core drives, through libibverbs.so.1: the provider of all that have none of their own, and the base
 * classes of the providers of those that have one.
 */
package io.verbs4j.rdmacore;
