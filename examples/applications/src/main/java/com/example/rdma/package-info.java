/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the examples share: the port that they work with, and programs in JVMs of their own. */
package com.example.rdma;
